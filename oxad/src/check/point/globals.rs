//! Variables of modules and COMMON blocks that a driver may have to set or to look at.
//!
//! The derivative of a variable `a` of module `m` is `ad` in `m_d`; that of a member of `/c/` is a
//! member of `/c_d/` (the suffixes are options).

use std::collections::{BTreeMap, HashMap};
use std::ops::Range;

use xaif_booster::analysis::storage::bytes_in_common;
use xaif_schema::model::{
    Attr, Base, Document, ProcId, Role, ScopeId, ScopeKind, SpecItem, SymbolId,
};

use super::plan::{Home, Suffixes, module_scope};

/// The variables, where they live, and the names of their derivatives.
pub(crate) fn found(
    doc: &Document,
    head: ProcId,
    derivative: ProcId,
    suffixes: Suffixes<'_>,
) -> Vec<(SymbolId, Home, Option<String>)> {
    let mut found = of_modules(doc, suffixes);
    found.extend(of_commons(doc, head, derivative, suffixes));
    found
}

/// Variables of modules, those of the generated modules excepted.
fn of_modules(doc: &Document, suffixes: Suffixes<'_>) -> Vec<(SymbolId, Home, Option<String>)> {
    let mut found = Vec::new();
    for scope in doc.scopes.values() {
        let ScopeKind::Module(module) = scope.kind else { continue };
        let module = doc.symbols[module].id.clone();
        // A module `m_d` that stands beside `m` is a generated one.
        if module
            .strip_suffix(suffixes.procedure)
            .is_some_and(|name| module_scope(doc, name).is_some())
        {
            continue;
        }
        let derivative = module_scope(doc, &format!("{module}{}", suffixes.procedure));
        for &symbol in &scope.symbols {
            if !is_variable(doc, symbol)
                || doc.symbols[symbol].decl.as_ref().is_some_and(|d| d.common.is_some())
            {
                continue;
            }
            let shadow = derivative.and_then(|(scope, _)| shadow_in(doc, scope, symbol, suffixes));
            let home = Home::Module {
                module: module.clone(),
                derivative: shadow.is_some().then(|| format!("{module}{}", suffixes.procedure)),
            };
            found.push((symbol, home, shadow));
        }
    }
    found
}

/// Members of COMMON blocks as the head declares them, or else the unit that declares most.
fn of_commons(
    doc: &Document,
    head: ProcId,
    derivative: ProcId,
    suffixes: Suffixes<'_>,
) -> Vec<(SymbolId, Home, Option<String>)> {
    let [primal, derivatives] = layouts(doc, [head, derivative]);
    let mut found = Vec::new();
    for (block, members) in primal {
        if is_derivative_block(doc, block, suffixes) {
            continue;
        }
        for symbol in members {
            let derivative = shadow_of_member(doc, block, symbol, &derivatives, suffixes);
            let shadow = derivative.clone();
            let name = block_name(doc, block);
            found.push((symbol, Home::Common { block, name, derivative }, shadow));
        }
    }
    found
}

/// A COMMON block with its members in order.
pub(crate) type Layout = (SymbolId, Vec<SymbolId>);

/// All COMMON blocks with the members that each of `procs` gives them, or else the unit that declares most.
pub(crate) fn layouts<const N: usize>(doc: &Document, procs: [ProcId; N]) -> [Vec<Layout>; N] {
    let bytes = bytes_in_common(doc);
    procs.map(|proc| layouts_of(doc, doc.procs[proc].scope, &bytes))
}

fn layouts_of(
    doc: &Document,
    own: ScopeId,
    bytes: &BTreeMap<SymbolId, (SymbolId, Range<i64>)>,
) -> Vec<Layout> {
    let end = |members: &[SymbolId]| {
        members.iter().filter_map(|member| bytes.get(member)).map(|(_, bytes)| bytes.end).max()
    };
    let mut best: HashMap<SymbolId, Option<i64>> = HashMap::new();
    let mut found = commons(doc, own);
    let fixed = found.len();
    for scope in doc.scopes.keys() {
        for (block, members) in commons(doc, scope) {
            let size = end(&members);
            match found.iter().position(|(known, _)| *known == block) {
                Some(at) if at < fixed || best.get(&block).is_some_and(|most| *most >= size) => {}
                Some(at) => {
                    best.insert(block, size);
                    found[at] = (block, members);
                }
                None => {
                    best.insert(block, size);
                    found.push((block, members));
                }
            }
        }
    }
    found
}

/// The COMMON blocks of a scope with their members in order.
fn commons(doc: &Document, scope: ScopeId) -> Vec<Layout> {
    let mut blocks: Vec<Layout> = Vec::new();
    for item in &doc.scopes[scope].items {
        if let SpecItem::Common { block, members } = item {
            match blocks.iter_mut().find(|(known, _)| known == block) {
                Some((_, list)) => list.extend(members),
                None => blocks.push((*block, members.clone())),
            }
        }
    }
    // What a stage has added may be told by the declarations alone.
    for &symbol in &doc.scopes[scope].symbols {
        let Some((block, _)) = doc.symbols[symbol].decl.as_ref().and_then(|decl| decl.common)
        else {
            continue;
        };
        match blocks.iter_mut().find(|(known, _)| *known == block) {
            Some((_, list)) if list.contains(&symbol) => {}
            Some((_, list)) => list.push(symbol),
            None => blocks.push((block, vec![symbol])),
        }
    }
    blocks
}

/// The name of a block without slashes.
pub(crate) fn block_name(doc: &Document, block: SymbolId) -> String {
    doc.symbols[block].id.trim_matches('/').to_string()
}

/// The block of the derivatives of `block` among `layouts`, with its members.
pub(crate) fn derivative_block<'l>(
    doc: &Document,
    block: SymbolId,
    layouts: &'l [Layout],
    suffix: &str,
) -> Option<(String, &'l [SymbolId])> {
    let wanted = format!("{}{suffix}", block_name(doc, block));
    let (_, members) = layouts.iter().find(|(block, _)| block_name(doc, *block) == wanted)?;
    Some((wanted, members))
}

fn is_derivative_block(doc: &Document, block: SymbolId, suffixes: Suffixes<'_>) -> bool {
    let name = block_name(doc, block);
    name.strip_suffix(suffixes.procedure)
        .is_some_and(|base| doc.symbols.values().any(|symbol| symbol.id == format!("/{base}/")))
}

fn shadow_of_member(
    doc: &Document,
    block: SymbolId,
    symbol: SymbolId,
    layouts: &[Layout],
    suffixes: Suffixes<'_>,
) -> Option<String> {
    let (_, members) = derivative_block(doc, block, layouts, suffixes.procedure)?;
    let wanted = format!("{}{}", doc.symbols[symbol].id, suffixes.variable);
    let member = members.iter().copied().find(|&member| doc.symbols[member].id == wanted)?;
    Some(doc.symbols[member].id.clone())
}

fn shadow_in(
    doc: &Document,
    scope: ScopeId,
    symbol: SymbolId,
    suffixes: Suffixes<'_>,
) -> Option<String> {
    let wanted = format!("{}{}", doc.symbols[symbol].id, suffixes.variable);
    doc.symbol_in(scope, &wanted).map(|_| wanted)
}

fn is_variable(doc: &Document, symbol: SymbolId) -> bool {
    let Some(decl) = doc.symbols[symbol].decl.as_deref() else { return false };
    matches!(decl.role, Role::Variable)
        && !decl.has(Attr::Parameter)
        && !matches!(decl.spec.base(), Base::Unknown | Base::Void | Base::Procedure)
}
