//! The operations of the tape: what they are called, and the USE that brings them in.
//!
//! Each procedure uses what its own body calls, from the module `oxad_tape` of the runtime, so that
//! a reader sees at its head what it records. If anything in the document has the name of an
//! operation, the operation is renamed in the USE: whose name it is where need not be asked.
//!
//! The runtime has two procedures for an operation on arrays: `push_array` takes arrays and sections of numbers that
//! are contiguous for sure, `push_section` everything else.

use std::collections::{HashMap, HashSet};

use xaif_schema::model::{
    Arg, ArgValue, Attr, Base, Body, Dim, Document, InlinableCall, Part, ProcId, Role, ScopeKind,
    SpecItem, StmtKind, Subscript, SymbolId, VertexKind,
};
use xaif_schema::names::unique;
use xaif_schema::tape::{MODULE, OPERATIONS, SECTIONS, operation};

/// The operations of a document.
#[derive(Debug, Default)]
pub(crate) struct Tape {
    /// What operations are called, where it is not their own name.
    renamed: HashMap<&'static str, String>,
    /// What each procedure uses, in the order of the table.
    used: HashMap<ProcId, Vec<&'static str>>,
}

impl Tape {
    /// Looks over the document.
    pub(crate) fn new(doc: &Document) -> Self {
        let mut used = HashMap::new();
        for (id, proc) in doc.procs.iter() {
            let Body::Flow(cfg) = &proc.body else { continue };
            let mut here = HashSet::new();
            for vertex in cfg.vertices.values() {
                let VertexKind::BasicBlock { stmts, .. } = &vertex.kind else { continue };
                here.extend(stmts.iter().filter_map(|&stmt| match &doc.stmts[stmt].kind {
                    StmtKind::InlinableCall(call) => procedure_of(doc, call),
                    _ => None,
                }));
            }
            if !here.is_empty() {
                used.insert(id, procedures().filter(|name| here.contains(name)).collect());
            }
        }
        if used.is_empty() {
            return Tape::default();
        }
        Tape { renamed: renamed(doc), used }
    }

    /// What the operation `name` is called.
    pub(crate) fn name(&self, name: &'static str) -> &str {
        self.renamed.get(name).map_or(name, String::as_str)
    }

    /// The items of the USE in the procedure `proc`, if its body calls any operation.
    pub(crate) fn use_items(&self, proc: ProcId) -> Option<Vec<String>> {
        let items = self.used.get(&proc)?.iter().map(|&name| match self.renamed.get(name) {
            Some(local) => format!("{local} => {name}"),
            None => name.to_owned(),
        });
        Some(items.collect())
    }

    /// The first words of the USE.
    pub(crate) fn use_head() -> String {
        format!("use {MODULE}, only: ")
    }
}

/// The procedures of the runtime, in the order in which a USE lists them.
fn procedures() -> impl Iterator<Item = &'static str> {
    OPERATIONS.iter().flat_map(|operation| {
        let section = SECTIONS.iter().find(|(name, _)| *name == operation.name);
        std::iter::once(operation.name).chain(section.map(|&(_, section)| section))
    })
}

/// The procedure of the runtime that executes an operation.
pub(crate) fn procedure_of(doc: &Document, call: &InlinableCall) -> Option<&'static str> {
    let name = operation(&call.name)?.name;
    let section = SECTIONS.iter().find(|(array, _)| *array == name);
    match section {
        Some(&(_, section)) if !call.args.iter().all(|arg| is_contiguous(doc, arg)) => {
            Some(section)
        }
        Some(_) | None => Some(name),
    }
}

/// Whether an argument is an array of numbers that is contiguous for sure: a whole array, or a section of it.
fn is_contiguous(doc: &Document, arg: &Arg) -> bool {
    let ArgValue::Expr(value) = arg.value else { return false };
    let Some(reference) = doc.exprs[value].reference() else { return false };
    let reference = &doc.refs[reference];
    let known = match reference.ty.base {
        Base::Integer(kind) | Base::Real(kind) => matches!(kind, 4 | 8),
        Base::Complex(kind) => matches!(kind, 4 | 8),
        Base::Logical(kind) => kind == 4,
        _ => false,
    };
    let entity = reference.entity().and_then(|entity| doc.symbols[entity].decl.as_deref());
    let Some(decl) = entity.filter(|_| known) else { return false };
    // Parts before the array must be scalars: the array alone gives the reference its rank.
    let (rank, section) = match reference.parts.last() {
        None | Some(Part::Component { .. }) => (decl.dims.len(), true),
        Some(Part::Elements(subscripts)) => {
            let is_section =
                |subscript: &&Subscript| matches!(subscript, Subscript::Section { .. });
            (subscripts.iter().filter(is_section).count(), is_one_piece(subscripts))
        }
        Some(Part::Substring { .. } | Part::Inquiry(_) | Part::Deref) => return false,
    };
    let near = |dim: &Dim| match dim {
        Dim::Explicit { .. } => true,
        Dim::Deferred => decl.has(Attr::Allocatable),
        Dim::AssumedShape { .. } => decl.has(Attr::Contiguous),
        // Of the last dimension only a range or an element is ever passed.
        Dim::AssumedSize { .. } => matches!(reference.parts.last(), Some(Part::Elements(_))),
        Dim::AssumedRank => false,
    };
    rank > 0
        && usize::from(reference.ty.rank) == rank
        && section
        && !decl.has(Attr::Pointer)
        && decl.dims.iter().all(near)
}

/// Whether a section of a contiguous array is contiguous by its subscripts: whole dimensions, then at most one
/// range without stride, then indices.
fn is_one_piece(subscripts: &[Subscript]) -> bool {
    let is_whole = |subscript: &&Subscript| {
        matches!(subscript, Subscript::Section { lower: None, upper: None, stride: None })
    };
    let whole = subscripts.iter().take_while(is_whole).count();
    let rest = match &subscripts[whole..] {
        [Subscript::Section { stride: None, .. }, rest @ ..] => rest,
        rest => rest,
    };
    rest.iter().all(|subscript| matches!(subscript, Subscript::Index(_)))
}

/// Whether a symbol is what the source has called an operation.
fn is_operation(doc: &Document, symbol: SymbolId) -> bool {
    matches!(doc.role(symbol), Some(&Role::Unresolved { module: Some(module) })
        if doc.name(module).eq_ignore_ascii_case(MODULE))
}

/// New names for the operations whose own name something else in the document has.
fn renamed(doc: &Document) -> HashMap<&'static str, String> {
    let mut taken = HashSet::new();
    for scope in doc.scopes.values() {
        // Components and bindings are named behind a `%`.
        let is_runtime = |kind: ScopeKind| matches!(kind, ScopeKind::Module(module) if doc.name(module).eq_ignore_ascii_case(MODULE));
        if !matches!(scope.kind, ScopeKind::DerivedType(_)) && !is_runtime(scope.kind) {
            let others = scope.symbols.iter().filter(|&&symbol| !is_operation(doc, symbol));
            taken.extend(others.map(|&symbol| doc.name(symbol).to_ascii_lowercase()));
        }
        for item in &scope.items {
            let SpecItem::Use(used) = item else { continue };
            taken.extend(used.names.iter().map(|name| name.local.to_ascii_lowercase()));
        }
    }
    let clashing: Vec<_> = procedures().filter(|&name| taken.contains(name)).collect();
    clashing.into_iter().map(|name| (name, unique(name, &mut taken))).collect()
}
