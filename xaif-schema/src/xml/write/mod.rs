//! The writer: a document as XML text.
//!
//! Ids are numbered in the order of the text, so that the same document always gives the same
//! bytes. What XAIF 1.0 can say is written in its namespace, all else in ours beside it. The writer
//! checks nothing that the verifier checks; what cannot be written so that it is read again is an
//! error of kind `InvalidInput`.

mod decl;
mod expr;
mod flow;
mod ids;
mod stmt;

use std::collections::HashSet;
use std::fmt;
use std::io;

use self::ids::{Id, Ids};
use super::out::Out;
use super::{OX, XAIF};
use crate::model::{
    AliasSets, Base, Body, Document, DummyArg, EntityRef, Key, Language, Listed, Place, ProcId,
    ProcKind, Procedure, RefId, Scope, ScopeId, ScopeKind, StmtSet, StmtSets, Symbol, SymbolId,
    SymbolKind, Ty, TypeClass,
};
use crate::xml::words::SHAPES;

/// Writes `doc` to `out`.
///
/// An error of kind `InvalidInput` says that `doc` holds what XAIF cannot say, such as expressions
/// that are nested too deeply.
pub fn write(doc: &Document, out: &mut impl io::Write) -> io::Result<()> {
    // A XAIF 1.0 document stays free of our namespace unless a stage has added what needs it.
    let own = !doc.as_read.xaif_1 || {
        let mut dry = Writer::new(doc, io::sink());
        dry.document(false);
        dry.out.own
    };
    let mut writer = Writer::new(doc, out);
    writer.document(own);
    writer.out.finish()
}

struct Writer<'a, W> {
    doc: &'a Document,
    out: Out<'a, W>,
    scopes: Ids<'a>,
    procs: Ids<'a>,
    /// Ids of the statements of the graph that is written, in order, and how many are written.
    stmts: (Ids<'a>, usize),
    /// The number of each node of the expressions that are written, from 1; 0 for all others.
    numbers: Vec<u32>,
    /// The keys of DU/UD and DO sets that XAIF 1.0 cannot say.
    composed: [HashSet<i64>; 2],
    /// Buffers of expressions that have been written.
    pool: Vec<expr::Listing<'a>>,
}

impl<'a, W: io::Write> Writer<'a, W> {
    fn new(doc: &'a Document, sink: W) -> Self {
        let scopes = Ids::of(doc.scopes.values().map(|scope| scope.id.as_deref()));
        let procs = Ids::noted(&doc.as_read, "vertex_id", doc.procs.keys().map(Key::Proc));
        Writer {
            doc,
            out: Out::new(sink, &doc.as_read),
            scopes,
            procs,
            stmts: (Ids::default(), 0),
            numbers: vec![0; doc.exprs.len()],
            composed: [doc.du_ud.composed(), doc.overwrites.composed()],
            pool: Vec::new(),
        }
    }

    fn document(&mut self, own: bool) {
        self.out.prolog("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
        self.out.start_of("xaif:CallGraph", Key::CallGraph);
        self.out.attribute("xmlns:xaif", Some(XAIF));
        if own {
            self.out.attribute("xmlns:ox", Some(OX));
        }
        self.out.attribute("program_name", self.doc.program_name.as_deref());
        self.out.attribute("prefix", self.doc.prefix.as_deref());
        self.header();
        self.scope_hierarchy();
        self.alias_sets(&self.doc.aliases);
        self.stmt_sets("xaif:DUUDSetMap", 1, &self.doc.du_ud);
        self.stmt_sets("xaif:DOSetMap", 2, &self.doc.overwrites);
        self.call_graph();
        self.out.end();
    }

    /// History, files and pointer types.
    fn header(&mut self) {
        for run in &self.doc.history {
            self.out.start("ox:Stage");
            self.out.own("name", &run.stage);
            self.out.own("version", &run.version);
            self.out.own("options", &run.options);
            self.out.end();
        }
        for (id, file) in self.doc.files.iter() {
            self.out.start("ox:File");
            self.out.own_display("id", format_args!("{}", id.index() + 1));
            self.out.own("path", &file.path);
            self.out.own_word::<Language>("language", Some(file.language));
            self.out.end();
        }
        for (id, ty) in self.doc.types.iter() {
            self.out.start("ox:PointerType");
            self.out.own_display("id", format_args!("{}", id.index() + 1));
            self.own_ty("to", *ty);
            self.out.end();
        }
    }

    fn scope_hierarchy(&mut self) {
        self.out.start("xaif:ScopeHierarchy");
        let mut canonical = Vec::new();
        for (id, scope) in self.doc.scopes.iter() {
            canonical.push(Listed::Vertex(id.as_u32()));
            if scope.parent.is_some() {
                canonical.push(Listed::Edge(id.as_u32(), 0));
            }
        }
        let listed = self.in_order(Key::ScopeHierarchy, canonical);
        let edges = listed.iter().filter_map(|item| match item {
            Listed::Edge(scope, _) => Some(Key::ScopeEdge(ScopeId::from_u32(*scope))),
            Listed::Vertex(_) => None,
        });
        let ids = Ids::noted(&self.doc.as_read, "edge_id", edges);
        let mut edge = 0;
        for item in listed {
            match item {
                Listed::Vertex(scope) => self.scope(ScopeId::from_u32(scope)),
                Listed::Edge(scope, _) => {
                    self.scope_edge(ScopeId::from_u32(scope), ids.get(edge));
                    edge += 1;
                }
            }
        }
        self.out.end();
    }

    /// The children `canonical` of `key`, in the order in which they were read.
    fn in_order(&self, key: Key, canonical: Vec<Listed>) -> Vec<Listed> {
        let Some(noted) = self.out.as_read().orders.get(&key) else { return canonical };
        let there: std::collections::HashSet<Listed> = canonical.iter().copied().collect();
        let known: std::collections::HashSet<Listed> = noted.iter().copied().collect();
        let kept = noted.iter().copied().filter(|item| there.contains(item));
        kept.chain(canonical.iter().copied().filter(|item| !known.contains(item))).collect()
    }

    fn scope(&mut self, id: ScopeId) {
        let scope = &self.doc.scopes[id];
        self.out.start_of("xaif:Scope", Key::Scope(id));
        self.id("vertex_id", self.scopes.get(id.index()));
        self.scope_kind(scope);
        self.out.own_flag("provided", scope.provided);
        self.own_place("at", scope.place);
        if scope.end != scope.place {
            self.own_place("end", scope.end);
        }
        self.out.start("xaif:SymbolTable");
        for &symbol in &scope.symbols {
            self.symbol(symbol);
        }
        self.out.end();
        self.spec_items("ox:Specification", &scope.items);
        self.spec_items("ox:Contains", &scope.contains);
        self.out.end();
    }

    fn scope_kind(&mut self, scope: &Scope) {
        let (word, symbol, parent) = match scope.kind {
            ScopeKind::Plain => return,
            ScopeKind::Global => ("global", None, None),
            ScopeKind::Module(symbol) => ("module", Some(symbol), None),
            ScopeKind::Submodule { symbol, parent } => ("submodule", Some(symbol), Some(parent)),
            ScopeKind::Procedure(symbol) => ("procedure", Some(symbol), None),
            ScopeKind::BlockData(symbol) => ("block-data", Some(symbol), None),
            ScopeKind::DerivedType(symbol) => ("derived-type", Some(symbol), None),
            ScopeKind::Block => ("block", None, None),
            ScopeKind::Associate => ("associate", None, None),
            ScopeKind::Indices => ("indices", None, None),
            ScopeKind::StatementFunction(symbol) => ("statement-function", Some(symbol), None),
        };
        self.out.own("kind", word);
        self.own_symbol_opt("symbol", symbol);
        self.own_symbol_opt("parent", parent);
    }

    fn scope_edge(&mut self, child: ScopeId, edge: Id<'a>) {
        let Some(parent) = self.doc.scopes[child].parent else { return };
        self.out.start_of("xaif:ScopeEdge", Key::ScopeEdge(child));
        self.id("edge_id", edge);
        self.id("source", self.scopes.get(child.index()));
        self.id("target", self.scopes.get(parent.index()));
        self.out.end();
    }

    fn symbol(&mut self, id: SymbolId) {
        let symbol = &self.doc.symbols[id];
        self.out.start_of("xaif:Symbol", Key::Symbol(id));
        self.out.attribute("symbol_id", Some(&symbol.id));
        self.out.word_or("kind", symbol.kind, SymbolKind::Variable);
        self.out.word_or("type", symbol.class, TypeClass::Real);
        self.out.attribute("feType", symbol.fe_type.as_deref());
        self.symbol_shape(symbol);
        self.out.flag("active", symbol.active);
        self.out.flag("temp", symbol.temp);
        self.out.flag("pointer", symbol.pointer);
        for (lower, upper) in &symbol.bounds {
            self.out.start("xaif:DimensionBounds");
            self.out.number("lower", Some(*lower));
            self.out.number("upper", Some(*upper));
            self.out.end();
        }
        if let Some(decl) = &symbol.decl {
            self.decl(&symbol.id, decl);
        }
        self.out.end();
    }

    fn symbol_shape(&mut self, symbol: &Symbol) {
        // A subroutine has no shape; for anything else the default is a scalar.
        let shape = match symbol.rank {
            None => "void",
            Some(rank) => SHAPES.get(usize::from(rank)).copied().unwrap_or("seven_tensor"),
        };
        let default = if symbol.class == TypeClass::Void { "void" } else { "scalar" };
        self.out.attribute("shape", (shape != default).then_some(shape));
        if let Some(rank) = symbol.rank
            && usize::from(rank) >= SHAPES.len()
        {
            self.out.own_display("rank", format_args!("{rank}"));
        }
    }

    fn alias_sets(&mut self, sets: &AliasSets) {
        if self.absent(0) && sets.sets.is_empty() {
            return;
        }
        self.out.start("xaif:AliasSetMap");
        for (i, (key, ranges)) in or_unknown(&sets.sets).iter().enumerate() {
            self.out.start("xaif:AliasSet");
            self.out.number("key", Some(*key));
            for (j, range) in ranges.iter().enumerate() {
                self.out.start_of("xaif:AliasRange", Key::Member(0, i as u32, j as u32));
                self.out.number("from_virtual_address", Some(range.from));
                self.out.number("to_virtual_address", Some(range.to));
                self.out.flag("partial", range.partial);
                self.out.end();
            }
            self.out.end();
        }
        self.out.end();
    }

    fn stmt_sets(&mut self, name: &'static str, map: u8, sets: &StmtSets) {
        if self.absent(map) && sets.sets.is_empty() {
            return;
        }
        self.out.start(name);
        let unknown = [StmtSet::default()];
        for set in if sets.sets.is_empty() { &unknown } else { sets.sets.as_slice() } {
            if set.includes.is_empty() {
                self.out.start("xaif:StmtIdSet");
                self.out.number("key", Some(set.key));
            } else {
                self.out.start("ox:StmtIdSet");
                self.out.own_display("key", format_args!("{}", set.key));
                let keys: Vec<String> = set.includes.iter().map(i64::to_string).collect();
                self.out.own("includes", &keys.join(" "));
            }
            for id in &set.stmts {
                self.out.start("xaif:StatementId");
                self.out.attribute("idRef", Some(id));
                self.out.end();
            }
            self.out.end();
        }
        self.out.end();
    }

    /// Whether the map was absent in the document that was read.
    fn absent(&self, map: u8) -> bool {
        self.out.as_read().spelling(Key::Map(map)).is_some()
    }

    fn call_graph(&mut self) {
        let vertices = self.doc.procs.keys().map(|id| Listed::Vertex(id.as_u32()));
        let edges = (0..self.doc.calls.len()).map(|i| Listed::Edge(i as u32, 0));
        let listed = self.in_order(Key::CallGraph, vertices.chain(edges).collect());
        let calls = (0..self.doc.calls.len()).map(|i| Key::Call(i as u32));
        let ids = Ids::noted(&self.doc.as_read, "edge_id", calls);
        for item in listed {
            match item {
                Listed::Vertex(id) => self.procedure(ProcId::from_u32(id)),
                Listed::Edge(i, _) => {
                    let (source, target) = self.doc.calls[i as usize];
                    self.out.start_of("xaif:CallGraphEdge", Key::Call(i));
                    self.id("edge_id", ids.get(i as usize));
                    self.id("source", self.procs.get(source.index()));
                    self.id("target", self.procs.get(target.index()));
                    self.out.end();
                }
            }
        }
    }

    fn procedure(&mut self, id: ProcId) {
        let proc = &self.doc.procs[id];
        let name = match proc.body {
            Body::Flow(_) | Body::Interface => "xaif:ControlFlowGraph",
            Body::Replacements { .. } => "xaif:ReplacementList",
        };
        self.out.start_of(name, Key::Proc(id));
        self.id("vertex_id", self.procs.get(id.index()));
        self.symbol_attributes(proc.symbol);
        let scope = self.scopes.get(proc.scope.index());
        self.out.attribute("controlflowgraph_scope_id", Some(&scope.to_string()));
        match &proc.body {
            Body::Flow(cfg) => {
                self.out.flag("active", proc.active);
                self.out.flag("structured", cfg.structured);
            }
            Body::Interface => {
                self.out.flag("active", proc.active);
                self.out.own("body", "interface");
            }
            Body::Replacements { template, .. } => {
                self.out.attribute("template_name", Some(template));
                if proc.active.is_some() || proc.effects != Default::default() {
                    self.out.fail("a replacement list has neither activity nor side effects");
                }
            }
        }
        self.own_symbol_opt("result", proc.result);
        self.out.own_flag("entry-written", proc.entry_written);
        let kind = (proc.kind != ProcKind::Subroutine).then_some(proc.kind);
        self.out.own_word("kind", kind);
        self.own_place("at", proc.place);
        self.argument_list(id, proc);
        self.side_effects(proc);
        self.named_references("ox:Independent", &proc.independent);
        self.named_references("ox:Dependent", &proc.dependent);
        match &proc.body {
            Body::Flow(cfg) => self.graph(id, 0, cfg),
            Body::Interface => (),
            Body::Replacements { list, .. } => {
                for (i, replacement) in list.iter().enumerate() {
                    let fragment = i as u32 + 1;
                    self.out.start_of("xaif:Replacement", Key::Cfg(id, fragment));
                    self.out.attribute("placeholder", Some(&replacement.placeholder));
                    self.out.flag("structured", replacement.cfg.structured);
                    self.graph(id, fragment, &replacement.cfg);
                    self.out.end();
                }
            }
        }
        self.out.end();
    }

    fn argument_list(&mut self, id: ProcId, proc: &Procedure) {
        let present = self.out.as_read().spelling(Key::ArgumentList(id)).is_some();
        if !proc.args.is_empty() || present {
            self.dummy_args(&proc.args, |i| Some(Key::Dummy(id, i)));
        }
    }

    fn dummy_args(&mut self, args: &[DummyArg], key: impl Fn(u32) -> Option<Key>) {
        self.out.start("xaif:ArgumentList");
        for (i, arg) in args.iter().enumerate() {
            match arg.symbol {
                Some(symbol) => {
                    match key(i as u32) {
                        Some(key) => self.out.start_of("xaif:ArgumentSymbolReference", key),
                        None => self.out.start("xaif:ArgumentSymbolReference"),
                    }
                    self.out.number("position", Some(i64::from(arg.position)));
                    self.symbol_attributes(symbol);
                    self.out.flag_or_false("deriv", arg.deriv);
                    self.out.word("intent", arg.intent);
                }
                None => {
                    self.out.start("ox:AlternateReturn");
                    self.out.own_display("position", format_args!("{}", arg.position));
                    self.out.own_flag("deriv", arg.deriv);
                    self.out.own_word("intent", arg.intent);
                }
            }
            self.out.end();
        }
        self.out.end();
    }

    fn side_effects(&mut self, proc: &Procedure) {
        let effects = &proc.effects;
        for (name, list) in [
            ("xaif:ModLocal", &effects.mod_local),
            ("xaif:Mod", &effects.modified),
            ("xaif:ReadLocal", &effects.read_local),
            ("xaif:Read", &effects.read),
            ("xaif:OnEntry", &effects.on_entry),
        ] {
            if let Some(list) = list {
                self.out.start(name);
                for &reference in list {
                    self.reference("xaif:SideEffectReference", Some(Id::Number(1)), reference);
                }
                self.out.end();
            }
        }
    }

    fn named_references(&mut self, name: &'static str, list: &[RefId]) {
        if !list.is_empty() {
            self.out.start(name);
            for &reference in list {
                self.reference("ox:Reference", None, reference);
            }
            self.out.end();
        }
    }

    // What many elements have.

    /// An id, as the tables of ids have it.
    fn id(&mut self, name: &str, id: Id<'a>) {
        match id {
            Id::Number(number) => self.out.number(name, Some(i64::from(number))),
            Id::Text(text) => self.out.attribute(name, Some(text)),
        }
    }

    /// `symbol_id` and `scope_id`.
    fn symbol_attributes(&mut self, symbol: SymbolId) {
        let symbol = &self.doc.symbols[symbol];
        self.out.attribute("symbol_id", Some(&symbol.id));
        self.id("scope_id", self.scopes.get(symbol.scope.index()));
    }

    /// A symbol as `scope:symbol`.
    fn own_symbol(&mut self, name: &str, symbol: SymbolId) {
        let text = SymbolText { writer: self, symbol }.to_string();
        self.out.own(name, &text);
    }

    fn own_symbol_opt(&mut self, name: &str, symbol: Option<SymbolId>) {
        if let Some(symbol) = symbol {
            self.own_symbol(name, symbol);
        }
    }

    /// A list of symbols; blanks in them are escaped as in a URL.
    fn own_symbols(&mut self, name: &str, symbols: &[SymbolId]) {
        let mut text = String::new();
        for &symbol in symbols {
            if !text.is_empty() {
                text.push(' ');
            }
            let one = SymbolText { writer: self, symbol }.to_string();
            for c in one.chars() {
                match c {
                    '%' => text.push_str("%25"),
                    ' ' => text.push_str("%20"),
                    _ => text.push(c),
                }
            }
        }
        if !symbols.is_empty() {
            self.out.own(name, &text);
        }
    }

    fn own_place(&mut self, name: &str, place: Place) {
        if place != Place::default() {
            let file = place.file.map_or(0, |file| file.index() + 1);
            self.out.own_display(name, format_args!("{file}:{}:{}", place.line, place.column));
        }
    }

    /// The place of an element that has a `lineNumber`.
    fn line_number(&mut self, place: Place) {
        self.out.number("lineNumber", (place.line != 0).then_some(i64::from(place.line)));
        if place.file.is_some() || place.column != 0 {
            self.own_place("at", place);
        }
    }

    fn own_ty(&mut self, name: &str, ty: Ty) {
        let rank = |out: &mut Out<'a, W>, word: &str, bytes: u8| match ty.rank {
            0 => out.own_display(name, format_args!("{word}{bytes}")),
            rank => out.own_display(name, format_args!("{word}{bytes}[{rank}]")),
        };
        match ty.base {
            Base::Unknown if ty.rank == 0 => (),
            Base::Integer(bytes) => rank(&mut self.out, "integer", bytes),
            Base::Real(bytes) => rank(&mut self.out, "real", bytes),
            Base::Logical(bytes) => rank(&mut self.out, "logical", bytes),
            Base::Complex(bytes) => rank(&mut self.out, "complex", bytes),
            Base::Character(bytes) => rank(&mut self.out, "character", bytes),
            Base::Unsigned(bytes) => rank(&mut self.out, "unsigned", bytes),
            Base::Unknown
            | Base::Void
            | Base::Derived(_)
            | Base::Class(_)
            | Base::ClassStar
            | Base::TypeStar
            | Base::Procedure
            | Base::Pointer(_) => {
                let mut text = self.base_text(ty.base);
                if ty.rank > 0 {
                    text.push_str(&format!("[{}]", ty.rank));
                }
                self.out.own(name, &text);
            }
        }
    }

    fn base_text(&self, base: Base) -> String {
        match base {
            Base::Unknown => "unknown".into(),
            Base::Void => "void".into(),
            Base::Integer(bytes) => format!("integer{bytes}"),
            Base::Unsigned(bytes) => format!("unsigned{bytes}"),
            Base::Real(bytes) => format!("real{bytes}"),
            Base::Complex(bytes) => format!("complex{bytes}"),
            Base::Logical(bytes) => format!("logical{bytes}"),
            Base::Character(bytes) => format!("character{bytes}"),
            Base::Derived(symbol) => format!("type({})", SymbolText { writer: self, symbol }),
            Base::Class(symbol) => format!("class({})", SymbolText { writer: self, symbol }),
            Base::ClassStar => "class(*)".into(),
            Base::TypeStar => "type(*)".into(),
            Base::Procedure => "procedure".into(),
            Base::Pointer(to) => format!("pointer({})", to.index() + 1),
        }
    }
}

/// The sets of a map; one that is empty holds the set of unknown content, which XAIF requires.
fn or_unknown<T: Clone>(sets: &[(i64, Vec<T>)]) -> std::borrow::Cow<'_, [(i64, Vec<T>)]> {
    if sets.is_empty() { vec![(0, Vec::new())].into() } else { sets.into() }
}

/// A symbol as `scope:symbol`.
struct SymbolText<'w, 'a, W> {
    writer: &'w Writer<'a, W>,
    symbol: SymbolId,
}

impl<W> fmt::Display for SymbolText<'_, '_, W> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let symbol = &self.writer.doc.symbols[self.symbol];
        write!(f, "{}:{}", self.writer.scopes.get(symbol.scope.index()), symbol.id)
    }
}
