//! Ranks of arrays whose lower bounds may be other than 1.
//!
//! `h = [2d0, x]` gives an allocatable `h` of another shape the lower bound 1; one of this shape keeps its bounds
//! (Fortran 2018, 10.2.1.3). So the new property depends on the old one, but only where some lower bound of an
//! allocatable is not 1. Lower bounds come from ALLOCATE and from whole variables that are assigned, are SOURCE= or MOLD=,
//! or give a component its value. They go on by MOVE_ALLOC and arguments, which keep the rank.

use std::collections::BTreeSet;

use xaif_schema::model::{
    ArgValue, Attr, Body, Dim, Document, ExprId, ExprKind, Part, RefId, Role, ScopeId, StmtId,
    StmtKind, Subscript, SymbolId, VertexKind,
};

use crate::bounds::is_one;

/// The ranks of allocatable arrays that the document may give a lower bound other than 1.
pub(super) fn shifted_ranks(doc: &Document) -> BTreeSet<u8> {
    let mut found = BTreeSet::new();
    shifted_by_statements(doc, doc.stmts.keys(), &mut found);
    shifted_by_constructors(doc, &mut found);
    found
}

/// The same of the program that a derivative was made of, where `doc` has both: the derivative allocates with bounds that
/// the program has given.
pub(super) fn shifted_in_program(doc: &Document) -> BTreeSet<u8> {
    let mut found = BTreeSet::new();
    shifted_by_constructors(doc, &mut found);
    for proc in doc.procs.values() {
        if let Body::Flow(cfg) = &proc.body
            && is_provided(doc, proc.scope)
        {
            let blocks = cfg.vertices.values().filter_map(|vertex| match &vertex.kind {
                VertexKind::BasicBlock { stmts, .. } => Some(stmts),
                _ => None,
            });
            shifted_by_statements(doc, blocks.flatten().copied(), &mut found);
        }
    }
    found
}

fn shifted_by_constructors(doc: &Document, found: &mut BTreeSet<u8>) {
    for expr in doc.exprs.values() {
        if let ExprKind::StructureConstructor { args, .. } = &expr.kind {
            let values = args.iter().filter_map(|arg| match arg.value {
                ArgValue::Expr(value) => shifted_value(doc, value),
                ArgValue::AlternateReturn(_) => None,
            });
            found.extend(values);
        }
    }
}

fn is_provided(doc: &Document, scope: ScopeId) -> bool {
    std::iter::successors(Some(scope), |&scope| doc.scopes[scope].parent)
        .any(|scope| doc.scopes[scope].provided)
}

fn shifted_by_statements(
    doc: &Document,
    stmts: impl Iterator<Item = StmtId>,
    found: &mut BTreeSet<u8>,
) {
    for stmt in stmts {
        match &doc.stmts[stmt].kind {
            StmtKind::Assign { lhs, rhs, .. } => {
                let target = doc.refs[*lhs].whole_entity();
                if target.is_some_and(|symbol| doc.has(symbol, Attr::Allocatable)) {
                    found.extend(shifted_value(doc, *rhs));
                }
            }
            StmtKind::Allocate(allocate) => {
                for &object in &allocate.objects {
                    match bounds(doc, object) {
                        Some(bounds) => found.extend(shifted_bounds(doc, bounds)),
                        None => {
                            let like = allocate.source.into_iter().chain(allocate.mold);
                            found.extend(like.filter_map(|value| shifted_value(doc, value)));
                        }
                    }
                }
            }
            StmtKind::PointerAssign { .. }
            | StmtKind::Call(_)
            | StmtKind::InlinableCall(_)
            | StmtKind::Propagate(_)
            | StmtKind::Where(_)
            | StmtKind::Forall(_)
            | StmtKind::Release(_)
            | StmtKind::OpenScope(_)
            | StmtKind::CloseScope(_)
            | StmtKind::Marker(_)
            | StmtKind::Comment(_) => {}
        }
    }
}

/// The bounds with which ALLOCATE names an object.
fn bounds(doc: &Document, object: RefId) -> Option<&[Subscript]> {
    match doc.refs[object].parts.last() {
        Some(Part::Elements(bounds)) => Some(bounds),
        Some(Part::Component { .. } | Part::Substring { .. } | Part::Inquiry(_) | Part::Deref)
        | None => None,
    }
}

/// The rank of bounds, one of which begins elsewhere than at 1.
fn shifted_bounds(doc: &Document, bounds: &[Subscript]) -> Option<u8> {
    let is_shifted = |bound: &Subscript| match bound {
        Subscript::Section { lower, .. } => begins_elsewhere(doc, *lower),
        Subscript::Index(_) => false,
    };
    bounds.iter().any(is_shifted).then(|| u8::try_from(bounds.len()).unwrap_or(u8::MAX))
}

/// The rank of a whole variable or component whose bounds may begin elsewhere than at 1. Another allocatable has
/// its bounds from elsewhere.
fn shifted_value(doc: &Document, value: ExprId) -> Option<u8> {
    let expr = &doc.exprs[value];
    let ExprKind::Ref(reference) = expr.kind else { return None };
    let symbol = doc.refs[reference].whole_entity()?;
    (!expr.parens && expr.ty.rank > 0 && may_be_shifted(doc, symbol)).then_some(expr.ty.rank)
}

fn may_be_shifted(doc: &Document, symbol: SymbolId) -> bool {
    if doc.has(symbol, Attr::Pointer) || matches!(doc.role(symbol), Some(Role::Associate { .. })) {
        return true;
    }
    let dims = doc.symbols[symbol].decl.as_deref().map_or(&[][..], |decl| &decl.dims);
    dims.iter().any(|dim| match *dim {
        Dim::Explicit { lower, .. } | Dim::AssumedShape { lower } | Dim::AssumedSize { lower } => {
            begins_elsewhere(doc, lower)
        }
        Dim::Deferred | Dim::AssumedRank => false,
    })
}

/// Whether a lower bound is told, and is not the constant 1.
fn begins_elsewhere(doc: &Document, lower: Option<ExprId>) -> bool {
    lower.is_some_and(|lower| !is_one(doc, lower))
}
