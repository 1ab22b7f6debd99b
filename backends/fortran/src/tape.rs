//! The operations of the tape: what they are called, and the USE that brings them in.
//!
//! Each procedure uses what its own body calls, from the module `oxad_tape` of the runtime, so that
//! a reader sees at its head what it records. If anything in the document has the name of an
//! operation, the operation is renamed in the USE: whose name it is where need not be asked.

use std::collections::{HashMap, HashSet};

use xaif_schema::model::{Body, Document, ProcId, ScopeKind, SpecItem, StmtKind, VertexKind};
use xaif_schema::names::unique;
use xaif_schema::tape::{MODULE, OPERATIONS, operation};

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
                    StmtKind::InlinableCall(call) => Some(operation(&call.name)?.name),
                    _ => None,
                }));
            }
            if !here.is_empty() {
                let names = OPERATIONS.iter().map(|operation| operation.name);
                used.insert(id, names.filter(|name| here.contains(name)).collect());
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

/// New names for the operations whose own name something else in the document has.
fn renamed(doc: &Document) -> HashMap<&'static str, String> {
    let mut taken = HashSet::new();
    for scope in doc.scopes.values() {
        // Components and bindings are named behind a `%`.
        if !matches!(scope.kind, ScopeKind::DerivedType(_)) {
            let names = scope.symbols.iter().map(|&symbol| doc.name(symbol).to_ascii_lowercase());
            taken.extend(names);
        }
        for item in &scope.items {
            let SpecItem::Use(used) = item else { continue };
            taken.extend(used.names.iter().map(|name| name.local.to_ascii_lowercase()));
        }
    }
    let clashing = OPERATIONS.iter().map(|operation| operation.name);
    let clashing: Vec<_> = clashing.filter(|&name| taken.contains(name)).collect();
    clashing.into_iter().map(|name| (name, unique(name, &mut taken))).collect()
}
