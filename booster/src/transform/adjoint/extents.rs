//! Procedures whose arrays have extents that do not stay.
//!
//! `real(8) :: work(n)` has the extent that `n` had as the procedure began, whatever becomes of `n`. The
//! backward half of a procedure in split mode begins with what the variables are at its end: there the
//! same declaration would make another array, and what is popped would not be what was pushed. A procedure
//! that may overwrite what its declarations name is not executed in two halves; in joint mode its
//! adjoint begins with the values that it began with itself.

use std::collections::{BTreeSet, HashSet};

use xaif_schema::intrinsics::{self, Class};
use xaif_schema::model::{
    Attr, CharLen, Dim, Document, ExprId, ExprKind, ProcId, Role, SymbolId, TypeSpec,
};

use crate::analysis::access::Accesses;
use crate::analysis::overwrites::Overwrites;
use crate::analysis::side_effects::SideEffects;
use crate::analysis::{Bodies, Home, StepKey, UnitId};
use crate::build::nodes_of;
use crate::externals::Externals;
use crate::flow::Step;
use crate::transform::tangent::reallocate::has;

/// Whether `proc`, a procedure of the user, may overwrite what an extent or a length in its declarations
/// depends on.
pub(super) fn may_change(
    accesses: &Accesses<'_>,
    bodies: &Bodies<'_>,
    externals: &Externals,
    effects: &SideEffects,
    proc: ProcId,
) -> bool {
    let (doc, storage) = (accesses.doc(), accesses.storage());
    let symbols = &doc.scopes[doc.procs[proc].scope].symbols;
    let nodes = nodes_of(doc, symbols.iter().flat_map(|&symbol| sizes(doc, symbol)));
    // What a function of the program reads is not looked at.
    if nodes.iter().any(|&node| matches!(doc.exprs[node].kind, ExprKind::Call(_))) {
        return true;
    }
    let asked: HashSet<ExprId> = nodes.iter().flat_map(|&node| inquired(doc, node)).collect();
    let named: BTreeSet<UnitId> = nodes
        .iter()
        .filter(|node| !asked.contains(node))
        .filter_map(|&node| match doc.exprs[node].kind {
            ExprKind::Ref(reference) => Some(doc.refs[reference].base),
            _ => None,
        })
        .filter(|&symbol| matches!(doc.role(symbol), Some(Role::Variable)))
        .flat_map(|symbol| storage.units_of_symbol(symbol))
        .collect();
    let Some(body) = bodies.get(proc).filter(|_| !named.is_empty()) else { return false };
    let overwrites = Overwrites::new(accesses, body, externals, effects);
    let is_global = named.iter().any(|&unit| storage.units()[unit].home == Home::Global);
    let steps = body.steps.iter().filter(|at| !matches!(at.step, Step::Enter(_)));
    steps.filter_map(|at| overwrites.of(StepKey::of(at.step))).any(|found| {
        found.world && is_global || found.units.iter().any(|unit| named.contains(unit))
    })
}

/// The expressions of the extents and the length of a variable.
fn sizes(doc: &Document, symbol: SymbolId) -> Vec<ExprId> {
    let Some(decl) = doc.symbols[symbol].decl.as_deref() else { return Vec::new() };
    let dims = decl.dims.iter().flat_map(|dim| match *dim {
        Dim::Explicit { lower, upper } => [lower, Some(upper)],
        Dim::AssumedShape { lower } | Dim::AssumedSize { lower } => [lower, None],
        Dim::Deferred | Dim::AssumedRank => [None, None],
    });
    let type_len = match &decl.spec {
        TypeSpec::Character { len, .. } => Some(*len),
        TypeSpec::Intrinsic { .. }
        | TypeSpec::Derived { .. }
        | TypeSpec::ClassStar
        | TypeSpec::TypeStar
        | TypeSpec::Pointer(_)
        | TypeSpec::None => None,
    };
    let lengths = [type_len, decl.char_len].into_iter().flatten().filter_map(|len| match len {
        CharLen::Expr(expr) => Some(expr),
        CharLen::One | CharLen::Assumed | CharLen::Deferred => None,
    });
    dims.flatten().chain(lengths).collect()
}

/// The operand of an inquiry about something whose shape stays: its value does not count.
fn inquired(doc: &Document, expr: ExprId) -> Option<ExprId> {
    let ExprKind::Intrinsic { name, operands, .. } = &doc.exprs[expr].kind else { return None };
    let inquires = intrinsics::by_xaif(name).is_some_and(|row| row.class == Class::Inquiry);
    let operand = operands.iter().map(|operand| operand.expr).next().filter(|_| inquires)?;
    let ExprKind::Ref(reference) = doc.exprs[operand].kind else { return None };
    let reference = &doc.refs[reference];
    let stays =
        !has(doc, reference.base, Attr::Allocatable) && !has(doc, reference.base, Attr::Pointer);
    (reference.parts.is_empty() && stays).then_some(operand)
}
