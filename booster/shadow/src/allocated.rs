//! Writes ALLOCATE with a source for the first assignment to an array that a transformation made.
//!
//! `temp = a*b` allocates `temp` where it is not allocated yet. That is right, but compilers warn of
//! the bounds that the assignment looks at first (gfortran's -Wuninitialized), and a reader has to
//! find out that this is where the array comes into being. [`Allocation`] tells where it is so.
//!
//! Not done: what the user declared, and its derivatives, which follow the user's text; what may be
//! allocated already, as in the second iteration of a loop.

use std::collections::HashSet;

use xaif_schema::model::{Attr, Base, Document, ProcId, StmtId, StmtKind, SymbolId, VertexKind};

use booster_build::with_source;
use booster_facts::{Accesses, Allocation, Bodies, Changes, StepKey, Storage};

/// Rewrites the first assignments to the arrays among the variables that were `made`.
pub fn allocate_first(doc: &mut Document, made: &HashSet<SymbolId>) {
    let is_ours = |doc: &Document, symbol| is_array(doc, symbol) && made.contains(&symbol);
    let has_ours = |&proc: &ProcId| {
        let own = &doc.scopes[doc.procs[proc].scope].symbols;
        own.iter().any(|&symbol| is_ours(doc, symbol))
    };
    let procs: Vec<ProcId> = doc.procs.keys().filter(has_ours).collect();
    if procs.is_empty() {
        return;
    }
    let storage = Storage::new(doc);
    let accesses = Accesses::new(doc, &storage);
    let bodies = Bodies::new(&accesses);
    let changes = Changes::new(&accesses, &bodies);
    let first_in = |&proc: &ProcId| {
        let body = bodies.get(proc)?;
        let allocation = Allocation::new(&accesses, body, &changes);
        let stmts = body.flow.cfg.vertices.values().filter_map(|vertex| match &vertex.kind {
            VertexKind::BasicBlock { stmts, .. } => Some(stmts),
            _ => None,
        });
        let is_first = |&stmt: &StmtId| {
            assigned(doc, stmt).is_some_and(|symbol| {
                is_ours(doc, symbol)
                    && allocation.is_allocated(StepKey::Stmt(stmt), symbol) == Some(false)
            })
        };
        Some(stmts.flatten().copied().filter(is_first).collect::<Vec<_>>())
    };
    let found: Vec<StmtId> = procs.iter().filter_map(first_in).flatten().collect();
    for stmt in found {
        let StmtKind::Assign { lhs, rhs, .. } = doc.stmts[stmt].kind else { continue };
        doc.stmts[stmt].kind = with_source(doc, lhs, rhs);
    }
}

/// The variable that a statement assigns as a whole.
fn assigned(doc: &Document, stmt: StmtId) -> Option<SymbolId> {
    let StmtKind::Assign { lhs, defined: None, .. } = doc.stmts[stmt].kind else { return None };
    Some(&doc.refs[lhs]).filter(|lhs| lhs.parts.is_empty()).map(|lhs| lhs.base)
}

/// Whether it is an allocatable array whose elements are of one type and of fixed length.
fn is_array(doc: &Document, symbol: SymbolId) -> bool {
    let Some(decl) = &doc.symbols[symbol].decl else { return false };
    let base = decl.spec.base();
    let is_number = matches!(base, Base::Integer(_) | Base::Real(_) | Base::Complex(_));
    let is_plain = is_number || matches!(base, Base::Logical(_) | Base::Derived(_));
    is_plain && !decl.dims.is_empty() && decl.has(Attr::Allocatable)
}
