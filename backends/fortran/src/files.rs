//! The texts of a whole document: one, or one for each source file.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::path::Path;

use xaif_schema::diag::Diagnostics;
use xaif_schema::model::{
    Document, FileId, InterfaceItem, Place, Role, ScopeId, ScopeKind, SpecItem, VertexId,
};

use crate::context::Context;
use crate::hiding::Misread;
use crate::lines::Lines;
use crate::unit::units;

/// Into how many texts a document is printed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Layout {
    /// Into one, modules before the units that use them.
    #[default]
    OneText,
    /// Into one for each source file, in the order of the sources.
    PerFile,
}

/// Prints `doc`: names of files (without folders) and their texts. Program units that the user has
/// anyway ([`Scope::provided`](xaif_schema::model::Scope::provided)) are left out.
///
/// With [`Layout::OneText`] there is one text, whose name is that of the first source file.
pub fn unparse(doc: &Document, layout: Layout) -> Result<Vec<(String, String)>, Diagnostics> {
    let mut doc = xaif_schema::upgrade::upgrade(doc)?;
    // Which loops need a variable is known when they are printed, and which names mean something else
    // there. Each time there are fewer.
    let mut seen = HashSet::new();
    loop {
        match texts(&doc, layout) {
            Outcome::Texts(texts) => return Ok(texts),
            Outcome::Problems(problems) => return Err(problems),
            Outcome::Uncounted(loops) => {
                let doc = doc.to_mut();
                loops.into_iter().for_each(|(scope, head)| crate::flow::count(doc, scope, head));
            }
            Outcome::Misread(names) => {
                let doc = doc.to_mut();
                for misread in names {
                    if !seen.insert(misread.clone()) {
                        return Err(Diagnostics::from_iter([*crate::hiding::stuck(doc, &misread)]));
                    }
                    let done = crate::hiding::uncover(doc, &misread);
                    done.map_err(|problem| Diagnostics::from_iter([*problem]))?;
                }
            }
        }
    }
}

/// What comes of printing.
enum Outcome {
    Texts(Vec<(String, String)>),
    Problems(Diagnostics),
    /// Loops must count their iterations in variables that the document does not have.
    Uncounted(Vec<(ScopeId, VertexId)>),
    /// Names mean something else where they are printed.
    Misread(Vec<Misread>),
}

fn texts(doc: &Document, layout: Layout) -> Outcome {
    let cx = Context::new(doc);
    let groups = match layout {
        Layout::OneText => vec![(None, in_order_of_use(doc, all_items(doc)))],
        Layout::PerFile => by_file(doc),
    };
    let mut texts = Vec::new();
    for (file, items) in groups {
        let mut lines = Lines::new();
        units(&cx, &mut lines, items.into_iter().flatten(), 0);
        texts.push((file, lines.finish()));
    }
    let uncounted = cx.take_uncounted();
    let misread = cx.take_misread();
    let problems = cx.into_problems();
    if problems.has_errors() {
        return Outcome::Problems(problems);
    }
    if !misread.is_empty() {
        return Outcome::Misread(misread);
    }
    if !uncounted.is_empty() {
        return Outcome::Uncounted(uncounted);
    }
    let mut taken = HashSet::new();
    let named = texts.into_iter().map(|(file, text)| (file_name(doc, file, &mut taken), text));
    Outcome::Texts(named.collect())
}

/// A unit with the comments before it.
type Group<'d> = Vec<&'d SpecItem>;

/// The units that the global scope lists, without those that the user has anyway: these are left
/// out with the comments before and behind them.
fn all_items(doc: &Document) -> Vec<Group<'_>> {
    let mut groups: Vec<Group<'_>> = Vec::new();
    let mut group = Vec::new();
    let mut behind_provided = false;
    let Some(global) = doc.global_scope() else { return groups };
    for item in &doc.scopes[global].items {
        if let SpecItem::Unit(scope) = item {
            if behind_provided {
                group.clear();
            }
            behind_provided = doc.scopes[*scope].provided;
            group.push(item);
            let group = std::mem::take(&mut group);
            if !behind_provided {
                groups.push(group);
            }
        } else {
            group.push(item);
        }
    }
    if !group.is_empty() && !behind_provided {
        groups.push(group);
    }
    groups
}

/// The units in an order in which each module stands before those who use it; otherwise as they
/// are.
fn in_order_of_use<'d>(doc: &'d Document, groups: Vec<Group<'d>>) -> Vec<Group<'d>> {
    let mut provider: HashMap<ScopeId, usize> = HashMap::new();
    for (index, group) in groups.iter().enumerate() {
        provider.extend(group.iter().filter_map(|item| Some((unit_scope(item)?, index))));
    }
    // BLOCK constructs with a USE of their own are known by their parents only.
    let uses = |scope: ScopeId| {
        doc.scopes[scope].items.iter().any(|item| matches!(item, SpecItem::Use(_)))
    };
    let blocks: Vec<ScopeId> = doc
        .scopes
        .iter()
        .filter(|(scope, data)| data.kind == ScopeKind::Block && uses(*scope))
        .map(|(scope, _)| scope)
        .collect();
    let mut order = Vec::new();
    let mut state = vec![false; groups.len()];
    for start in 0..groups.len() {
        let mut stack = vec![(start, false)];
        while let Some((index, expanded)) = stack.pop() {
            if expanded {
                order.push(index);
                continue;
            }
            if std::mem::replace(&mut state[index], true) {
                continue;
            }
            stack.push((index, true));
            let scopes = groups[index].iter().filter_map(|item| unit_scope(item));
            let needed: Vec<usize> = scopes
                .flat_map(|scope| modules_used(doc, scope, &blocks))
                .filter_map(|module| provider.get(&module).copied())
                .collect();
            stack.extend(needed.into_iter().rev().map(|needed| (needed, false)));
        }
    }
    let mut slots: Vec<Option<Group<'d>>> = groups.into_iter().map(Some).collect();
    order.into_iter().filter_map(|index| slots[index].take()).collect()
}

fn unit_scope(item: &SpecItem) -> Option<ScopeId> {
    match item {
        SpecItem::Unit(scope) => Some(*scope),
        _ => None,
    }
}

/// The modules that a unit and all within it need.
fn modules_used(doc: &Document, unit: ScopeId, blocks: &[ScopeId]) -> Vec<ScopeId> {
    let mut modules = Vec::new();
    let mut stack = vec![unit];
    let mut seen = HashSet::new();
    while let Some(scope) = stack.pop() {
        if !seen.insert(scope) {
            continue;
        }
        let data = &doc.scopes[scope];
        if let ScopeKind::Submodule { parent, .. } = data.kind
            && let Some(Role::Module { scope: Some(module) }) = doc.role(parent)
        {
            modules.push(*module);
        }
        for item in data.items.iter().chain(&data.contains) {
            match item {
                SpecItem::Use(_) => modules.extend(used_module(doc, item)),
                SpecItem::Unit(inner) => stack.push(*inner),
                SpecItem::Interface { items, .. } => {
                    stack.extend(items.iter().filter_map(|item| match item {
                        InterfaceItem::Body(inner) => Some(*inner),
                        InterfaceItem::Procedures { .. } | InterfaceItem::Comment(_) => None,
                    }));
                }
                _ => {}
            }
        }
    }
    for &block in blocks.iter().filter(|&&block| doc.is_within(block, unit)) {
        modules.extend(doc.scopes[block].items.iter().filter_map(|item| used_module(doc, item)));
    }
    modules
}

/// The scope of the module that a USE names, where it is given.
fn used_module(doc: &Document, item: &SpecItem) -> Option<ScopeId> {
    let SpecItem::Use(used) = item else { return None };
    match doc.role(used.module) {
        Some(Role::Module { scope }) => *scope,
        _ => None,
    }
}

/// The units of each source file, in the order of the files.
fn by_file(doc: &Document) -> Vec<(Option<FileId>, Vec<Group<'_>>)> {
    let mut files: BTreeMap<Option<FileId>, Vec<Group<'_>>> = BTreeMap::new();
    let mut last = doc.files.keys().next();
    for group in all_items(doc) {
        let place = group.iter().rev().find_map(|item| place_of(doc, item));
        let file = place.and_then(|place| place.file).or(last);
        last = file;
        files.entry(file).or_default().push(group);
    }
    files.into_iter().collect()
}

fn place_of(doc: &Document, item: &SpecItem) -> Option<Place> {
    let place = match item {
        SpecItem::Unit(scope) => doc.scopes[*scope].place,
        SpecItem::Comment(comment) => comment.place,
        SpecItem::Opaque { place, .. } => *place,
        _ => return None,
    };
    place.file.map(|_| place)
}

/// `dir/name.F` becomes `name.f90`; a second file of the same name becomes `name_2.f90`.
fn file_name(doc: &Document, file: Option<FileId>, taken: &mut HashSet<String>) -> String {
    let file = file.or_else(|| doc.files.keys().next());
    let path = file.map_or("program", |file| doc.files[file].path.as_str());
    let stem = Path::new(path).file_stem().map_or("program".into(), |stem| stem.to_string_lossy());
    format!("{}.f90", xaif_schema::names::unique(&stem, taken))
}
