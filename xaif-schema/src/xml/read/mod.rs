//! The reader: XML text to a document.
//!
//! Entities are numbered in the order of the text, what an entity is made of before the entity
//! itself. Everything that is not understood is an error; the first error ends reading. What a
//! XAIF 1.0 document spells otherwise than the writer would is noted in [`AsRead`].
//!
//! [`AsRead`]: crate::model::AsRead

mod decl;
mod expr;
mod flow;
mod positions;
mod reference;
mod scope;
mod stmt;
mod values;

use std::borrow::Cow;
use std::collections::HashMap;

pub use self::positions::Positions;
use super::fault::{Read, fault, fault_with_help};
use super::input::Input;
use super::tag::{Ns, Tag};
use crate::diag::{Code, Diagnostic, Diagnostics, Spot};
use crate::model::{
    AliasRange, Document, Key, Language, Listed, ProcId, RefId, ScopeId, SourceFile, Spelling,
    StageRun, StmtSet, SymbolId,
};

/// Reads a document from the bytes of `file`.
///
/// ```
/// use xaif_schema::{model::Document, xml};
///
/// let text = xml::to_string(&Document::new()).expect("nothing is nested");
/// let doc = xml::read(text.as_bytes(), "a.xaif").expect("a document");
/// assert_eq!(xml::to_string(&doc).ok(), Some(text));
/// let refused = xml::read(b"<html/>", "a.xaif").expect_err("no document");
/// assert!(refused.has_errors());
/// ```
///
/// # Errors
/// The first fault of the XML, with its place.
pub fn read(bytes: &[u8], file: &str) -> Result<Document, Diagnostics> {
    run(bytes, file, false).map(|(doc, _)| doc)
}

/// Reads a document and notes where its entities stand in the text.
pub fn read_with_positions<'t>(
    bytes: &'t [u8],
    file: &str,
) -> Result<(Document, Positions<'t>), Diagnostics> {
    run(bytes, file, true)
}

fn run<'t>(
    bytes: &'t [u8],
    file: &str,
    positions: bool,
) -> Result<(Document, Positions<'t>), Diagnostics> {
    let one = |diagnostic: Diagnostic| -> Diagnostics { [diagnostic].into_iter().collect() };
    if bytes.len() > u32::MAX as usize {
        let spot = Some(Spot::new(file, 0, 0));
        let message = "the document has more than four gigabytes";
        return Err(one(Diagnostic::error(Code::XML_TOO_LARGE, spot, message)));
    }
    let text = std::str::from_utf8(bytes)
        .map_err(|error| one(crate::cli::not_utf8(file, bytes, error.valid_up_to())))?;
    let mut reader = Reader::new(text, file, positions);
    match reader.document() {
        Ok(()) => Ok((reader.doc, reader.positions)),
        Err(fault) => Err(one(fault.diagnostic(text, file))),
    }
}

struct Reader<'a> {
    input: Input<'a>,
    doc: Document,
    positions: Positions<'a>,
    scopes: HashMap<Cow<'a, str>, ScopeId>,
    symbols: HashMap<(ScopeId, Cow<'a, str>), SymbolId>,
    procs: HashMap<Cow<'a, str>, ProcId>,
    /// `Role::Procedure` whose body comes later in the text: symbol, id, offset.
    bodies: Vec<(SymbolId, Cow<'a, str>, usize)>,
    spellings: HashMap<Spelling, u32>,
    pool: Vec<expr::Buffer<'a>>,
    /// The arguments of the call that is being read.
    arguments: Vec<Option<Tag<'a>>>,
    /// What is to be recorded for the statement that is being read.
    recorded: Option<(Vec<RefId>, bool)>,
    /// The objects of which the property is to be recorded for it.
    recorded_properties: Vec<RefId>,
    /// Whether a replacement list is being read.
    in_template: bool,
    /// How many statements of the current graph have been read.
    stmts: u32,
    /// The scope of statements whose block does not name one.
    block_scope: Option<ScopeId>,
    /// How many pointer types are referred to.
    types: (u32, usize),
}

impl<'a> Reader<'a> {
    fn new(text: &'a str, file: &str, positions: bool) -> Self {
        Reader {
            input: Input::new(text),
            doc: Document::default(),
            positions: Positions::new(text, file, positions),
            scopes: HashMap::new(),
            symbols: HashMap::new(),
            procs: HashMap::new(),
            bodies: Vec::new(),
            spellings: HashMap::new(),
            pool: Vec::new(),
            arguments: Vec::new(),
            recorded: None,
            recorded_properties: Vec::new(),
            in_template: false,
            stmts: 0,
            block_scope: None,
            types: (0, 0),
        }
    }

    fn document(&mut self) -> Read<()> {
        let Some(mut root) = self.input.child()? else {
            return fault(Code::MISSING_ELEMENT, 0, "there is no document: the text is empty");
        };
        self.check_root(&root)?;
        root.keep_namespaces()?;
        self.doc.program_name = root.text_opt("program_name")?.map(Into::into);
        self.doc.prefix = root.text_opt("prefix")?.map(Into::into);
        self.keep_annotation(&mut root)?;
        root.finish()?;
        self.note(root, Key::CallGraph);
        self.call_graph()?;
        self.input.end()?;
        self.link_bodies()?;
        if self.types.0 as usize > self.doc.types.len() {
            return fault(
                Code::UNKNOWN_REFERENCE,
                self.types.1,
                "a pointer type that is not listed",
            );
        }
        // A stage that adds facts of ours to a XAIF 1.0 document does not make it one of ours.
        let undeclared = self.doc.symbols.values().all(|symbol| symbol.decl.is_none());
        self.doc.as_read.xaif_1 = !self.input.own || (undeclared && !self.doc.symbols.is_empty());
        Ok(())
    }

    fn check_root(&self, root: &Tag<'a>) -> Read<()> {
        match (root.ns, root.name) {
            (Ns::Xaif, "CallGraph") => Ok(()),
            (_, "InlinableIntrinsicDefinitions" | "NonInlinableIntrinsicDefinitions") => {
                fault_with_help(
                    Code::CATALOGUE,
                    root.offset,
                    "this is a catalogue of intrinsics, not a program",
                    "give it to the stage that differentiates: --intrinsics FILE",
                )
            }
            (Ns::Xaif, name) => {
                let message = format!("the root must be `CallGraph`, not `{name}`");
                fault(Code::UNKNOWN_ELEMENT, root.offset, message)
            }
            (_, "CallGraph") => root.unexpected("the document"),
            (_, name) => fault_with_help(
                Code::WRONG_NAMESPACE,
                root.offset,
                format!("the root must be XAIF's `CallGraph`, not `{name}`"),
                format!("XAIF's namespace is `{}`", super::XAIF),
            ),
        }
    }

    fn call_graph(&mut self) -> Read<()> {
        let mut listed = Vec::new();
        let mut maps = [false; 3];
        let mut calls: Vec<(Tag<'a>, Cow<'a, str>, Cow<'a, str>)> = Vec::new();
        let mut ids = Unique::new("edge_id");
        let mut hierarchy = false;
        while let Some(mut tag) = self.input.child()? {
            match (tag.ns, tag.name) {
                (Ns::Ox, "Stage") => self.stage(tag)?,
                (Ns::Ox, "File") => self.file(tag)?,
                (Ns::Ox, "PointerType") => self.pointer_type(tag)?,
                (Ns::Xaif, "ScopeHierarchy") if !hierarchy => {
                    hierarchy = true;
                    self.scope_hierarchy(tag)?;
                }
                (Ns::Xaif, "AliasSetMap") if !maps[0] => {
                    maps[0] = true;
                    self.alias_sets(tag)?;
                }
                (Ns::Xaif, "DUUDSetMap") if !maps[1] => {
                    maps[1] = true;
                    self.doc.du_ud.sets = self.stmt_sets(tag)?;
                }
                (Ns::Xaif, "DOSetMap") if !maps[2] => {
                    maps[2] = true;
                    self.doc.overwrites.sets = self.stmt_sets(tag)?;
                }
                (Ns::Xaif, "ControlFlowGraph" | "ReplacementList") => {
                    listed.push(Listed::Vertex(self.doc.procs.len() as u32));
                    self.procedure(tag)?;
                }
                (Ns::Xaif, "CallGraphEdge") => {
                    listed.push(Listed::Edge(calls.len() as u32, 0));
                    ids.edge(&mut tag, calls.len() + 1)?;
                    let (source, target) = (tag.text("source")?, tag.text("target")?);
                    self.keep_annotation(&mut tag)?;
                    tag.finish()?;
                    self.input.leaf("CallGraphEdge")?;
                    calls.push((tag, source, target));
                }
                _ => return tag.unexpected("CallGraph"),
            }
        }
        if !hierarchy {
            return fault(Code::MISSING_ELEMENT, 0, "the document has no `ScopeHierarchy`");
        }
        for (map, there) in maps.into_iter().enumerate() {
            if !there {
                self.note_form(Key::Map(map as u8), "absent");
            }
        }
        self.link_calls(calls)?;
        let vertices = self.doc.procs.len() as u32;
        self.note_order(Key::CallGraph, listed, vertices);
        Ok(())
    }

    fn link_calls(&mut self, calls: Vec<(Tag<'a>, Cow<'a, str>, Cow<'a, str>)>) -> Read<()> {
        for (i, (tag, source, target)) in calls.into_iter().enumerate() {
            let find = |id: &str| match self.procs.get(id) {
                Some(proc) => Ok(*proc),
                None => {
                    let message = format!("there is no vertex `{id}` in the call graph");
                    fault(Code::DANGLING_EDGE, tag.offset, message)
                }
            };
            let edge = (find(&source)?, find(&target)?);
            self.doc.calls.push(edge);
            self.note(tag, Key::Call(i as u32));
        }
        Ok(())
    }

    fn link_bodies(&mut self) -> Read<()> {
        for (symbol, id, offset) in std::mem::take(&mut self.bodies) {
            let Some(&proc) = self.procs.get(&id) else {
                let message = format!("there is no procedure `{id}` in the call graph");
                return fault(Code::UNKNOWN_REFERENCE, offset, message);
            };
            if let Some(decl) = &mut self.doc.symbols[symbol].decl
                && let crate::model::Role::Procedure(info) = &mut decl.role
            {
                info.proc = Some(proc);
            }
        }
        Ok(())
    }

    fn stage(&mut self, mut tag: Tag<'a>) -> Read<()> {
        let stage = tag.own_required("name")?.0.into();
        let version = tag.own_required("version")?.0.into();
        let options = tag.own_required("options")?.0.into();
        self.doc.history.push(StageRun { stage, version, options });
        tag.finish()?;
        self.input.leaf("Stage")
    }

    fn file(&mut self, mut tag: Tag<'a>) -> Read<()> {
        self.listed_id(&mut tag, self.doc.files.len())?;
        let path = tag.own_required("path")?.0.into();
        let Some(language) = tag.own_word::<Language>("language")? else {
            return tag.missing("language");
        };
        self.doc.files.push(SourceFile { path, language });
        tag.finish()?;
        self.input.leaf("File")
    }

    fn pointer_type(&mut self, mut tag: Tag<'a>) -> Read<()> {
        self.listed_id(&mut tag, self.doc.types.len())?;
        let ty = self.ty(&mut tag, "to")?;
        self.doc.types.push(ty);
        tag.finish()?;
        self.input.leaf("PointerType")
    }

    /// Checks that entries of a table are numbered from 1 on.
    fn listed_id(&mut self, tag: &mut Tag<'a>, before: usize) -> Read<()> {
        match tag.own_number::<usize>("id")? {
            Some(id) if id == before + 1 => Ok(()),
            Some(id) => tag.bad(format!("`id` must be {}, not {id}", before + 1)),
            None => tag.missing("id"),
        }
    }

    fn alias_sets(&mut self, map: Tag<'a>) -> Read<()> {
        map.finish()?;
        let mut sets = Vec::new();
        while let Some(mut tag) = self.input.child()? {
            self.expect(&tag, Ns::Xaif, "AliasSet", "AliasSetMap")?;
            let key = tag.number_required("key")?;
            tag.finish()?;
            let mut ranges = Vec::new();
            while let Some(mut tag) = self.input.child()? {
                self.expect(&tag, Ns::Xaif, "AliasRange", "AliasSet")?;
                let from = tag.number_required("from_virtual_address")?;
                let to = tag.number_required("to_virtual_address")?;
                let partial = tag.flag("partial")?;
                tag.finish()?;
                self.note(tag, Key::Member(0, sets.len() as u32, ranges.len() as u32));
                self.input.leaf("AliasRange")?;
                ranges.push(AliasRange { from, to, partial });
            }
            sets.push((key, ranges));
        }
        self.doc.aliases.sets = without_unknown(sets);
        Ok(())
    }

    fn stmt_sets(&mut self, map: Tag<'a>) -> Read<Vec<StmtSet>> {
        map.finish()?;
        let mut sets: Vec<StmtSet> = Vec::new();
        while let Some(mut tag) = self.input.child()? {
            let (key, includes) = match (tag.ns, tag.name) {
                (Ns::Ox, "StmtIdSet") => self.composed_set(&mut tag)?,
                _ => {
                    self.expect(&tag, Ns::Xaif, "StmtIdSet", "StmtIdSetMap")?;
                    (tag.number_required("key")?, Vec::new())
                }
            };
            tag.finish()?;
            let mut stmts = Vec::new();
            while let Some(mut tag) = self.input.child()? {
                self.expect(&tag, Ns::Xaif, "StatementId", "StmtIdSet")?;
                stmts.push(tag.text("idRef")?.into());
                tag.finish()?;
                self.input.leaf("StatementId")?;
            }
            sets.push(StmtSet { key, includes, stmts });
        }
        if sets == [StmtSet::default()] {
            sets.clear();
        }
        Ok(sets)
    }

    /// The key of a set that includes others, and their keys.
    fn composed_set(&self, tag: &mut Tag<'a>) -> Read<(i64, Vec<i64>)> {
        let Some(key) = tag.own_number("key")? else { return tag.missing("key") };
        let (text, offset) = tag.own_required("includes")?;
        let mut includes = Vec::new();
        for word in text.split(' ').filter(|word| !word.is_empty()) {
            let Ok(key) = word.parse() else {
                let message = format!("`{word}` is no key of a set");
                return fault(Code::BAD_VALUE, offset, message);
            };
            includes.push(key);
        }
        Ok((key, includes))
    }

    // What all parts of the reader need.

    fn expect(&self, tag: &Tag<'a>, ns: Ns, name: &str, parent: &str) -> Read<()> {
        if tag.ns == ns && tag.name == name { Ok(()) } else { tag.unexpected(parent) }
    }

    /// Keeps the annotation that XAIF 1.0 allows almost everywhere.
    fn keep_annotation(&mut self, tag: &mut Tag<'a>) -> Read<()> {
        tag.keep("annotation")
    }

    /// Remembers how the element of `key` is spelt, if the writer would spell it otherwise.
    fn note(&mut self, tag: Tag<'a>, key: Key) {
        self.note_spelling(Spelling { form: tag.form, attributes: tag.notes }, key);
    }

    /// Remembers that the element of `key` has another form.
    fn note_form(&mut self, key: Key, form: &'static str) {
        self.note_spelling(Spelling { form: Some(form), attributes: Vec::new() }, key);
    }

    fn note_spelling(&mut self, spelling: Spelling, key: Key) {
        if spelling.form.is_none() && spelling.attributes.is_empty() {
            return;
        }
        let as_read = &mut self.doc.as_read;
        let index = match self.spellings.get(&spelling) {
            Some(index) => *index,
            None => {
                let index = as_read.spellings.len() as u32;
                as_read.spellings.push(spelling.clone());
                self.spellings.insert(spelling, index);
                index
            }
        };
        as_read.elements.insert(key, index);
    }

    /// Remembers the order of children where it is not all vertices and then all edges.
    fn note_order(&mut self, key: Key, listed: Vec<Listed>, vertices: u32) {
        let canonical = listed.iter().enumerate().all(|(i, item)| match *item {
            Listed::Vertex(vertex) => vertex == i as u32,
            Listed::Edge(edge, _) => edge + vertices == i as u32,
        });
        if !canonical {
            self.doc.as_read.orders.insert(key, listed);
        }
    }
}

/// A map that holds nothing but the set of unknown content holds nothing.
fn without_unknown<T>(sets: Vec<(i64, Vec<T>)>) -> Vec<(i64, Vec<T>)> {
    match sets.as_slice() {
        [(0, members)] if members.is_empty() => Vec::new(),
        _ => sets,
    }
}

/// The ids of one kind in one graph. As long as they count 1, 2, 3 no table is needed.
struct Unique<'a> {
    attribute: &'static str,
    counted: usize,
    others: HashMap<Cow<'a, str>, ()>,
}

impl<'a> Unique<'a> {
    fn new(attribute: &'static str) -> Self {
        Unique { attribute, counted: 0, others: HashMap::new() }
    }

    /// Takes the id of an edge, which the writer would number `number`.
    fn edge(&mut self, tag: &mut Tag<'a>, number: usize) -> Read<()> {
        let offset = tag.offset;
        let Some(id) = tag.text_opt(self.attribute)? else {
            return tag.missing(self.attribute);
        };
        tag.note_id(self.attribute, number, Some(&id));
        self.add(id, number, offset)
    }

    /// Adds an id; `number` is what it would be if all were counted.
    fn add(&mut self, id: Cow<'a, str>, number: usize, offset: usize) -> Read<()> {
        let counts = is_number(&id, number);
        if counts && self.counted + 1 == number {
            self.counted = number;
            if self.others.is_empty() {
                return Ok(());
            }
        }
        let among_counted = |id: &str, counted: usize| {
            id.parse::<usize>().is_ok_and(|n| n <= counted && is_number(id, n))
        };
        let repeated =
            self.others.contains_key(&id) || (!counts && among_counted(&id, self.counted));
        if repeated {
            let message = format!("the {} `{id}` is used twice", self.attribute);
            return fault(Code::DUPLICATE_ID, offset, message);
        }
        self.others.insert(id, ());
        Ok(())
    }
}

/// Whether `text` is `number` as the writer writes it.
fn is_number(text: &str, number: usize) -> bool {
    let mut rest = number;
    let mut digits = text.bytes().rev();
    loop {
        if digits.next() != Some(b'0' + (rest % 10) as u8) {
            return false;
        }
        rest /= 10;
        if rest == 0 {
            return digits.next().is_none();
        }
    }
}

impl Tag<'_> {
    /// Notes an id that is not the number that the writer would give.
    fn note_id(&mut self, name: &str, number: usize, id: Option<&str>) {
        if !id.is_some_and(|id| is_number(id, number)) {
            self.note(name, Some(&number.to_string()), id);
        }
    }
}
