//! Derivatives of the shape that a place asks for.
//!
//! The derivative of `s + a(:)` with respect to `s` alone is the scalar `sd`. In an assignment that
//! is right; as the argument of SUM it is not.

use xaif_schema::intrinsics::{self, Class};
use xaif_schema::model::{Base, Document, ExprId, ExprKind, Operand, Ty};

use super::instantiate::literal_base;
use crate::build::{Copier, integer, intrinsic, node, real};

/// `derivative`, the derivative of `primal` that [`tangent_of`](super::tangent_of) gives, with the
/// rank of `primal`: a scalar is spread over its shape. An assignment needs that only where the
/// left-hand side is allocatable and takes its shape from the right-hand side.
pub fn conform(doc: &mut Document, derivative: ExprId, primal: ExprId) -> ExprId {
    let rank = doc.exprs[primal].ty.rank;
    if doc.exprs[derivative].ty.rank != 0 || rank == 0 {
        return derivative;
    }
    let place = doc.exprs[primal].place;
    let shape = shape_giver(doc, primal);
    let base = doc.exprs[derivative].ty.base;
    let mut result = derivative;
    for dimension in 1..=rank {
        let array = Copier::new().expr(doc, shape);
        let mut of = vec![array];
        if rank > 1 {
            of.push(integer(doc, i64::from(dimension), place));
        }
        let copies = intrinsic(doc, "size", &of, Ty::scalar(Base::Integer(4)));
        let along = integer(doc, i64::from(dimension), place);
        let ty = Ty { base, rank: dimension };
        result = intrinsic(doc, "spread", &[result, along, copies], ty);
    }
    result
}

/// The simplest array in an elemental expression that has its shape.
pub(super) fn shape_giver(doc: &Document, expr: ExprId) -> ExprId {
    let rank = doc.exprs[expr].ty.rank;
    let mut simplest = expr;
    loop {
        let ExprKind::Intrinsic { name, operands, .. } = &doc.exprs[simplest].kind else {
            return simplest;
        };
        let elemental = intrinsics::operator(name).is_some()
            || intrinsics::by_xaif(name).is_some_and(|row| row.class == Class::Elemental);
        let arrays = |operand: &&Operand| elemental && doc.exprs[operand.expr].ty.rank == rank;
        let is_reference =
            |operand: &&Operand| matches!(doc.exprs[operand.expr].kind, ExprKind::Ref(_));
        let found = operands.iter().filter(arrays).find(is_reference);
        match found.or_else(|| operands.iter().find(arrays)) {
            Some(operand) => simplest = operand.expr,
            None => return simplest,
        }
    }
}

/// Zero of a type, a scalar.
pub(super) fn zero(doc: &mut Document, base: Base, like: ExprId) -> ExprId {
    let place = doc.exprs[like].place;
    let part = literal_base(base);
    let zero = real(doc, "0", part, place);
    if let Base::Complex(_) = base {
        let other = Copier::new().expr(doc, zero);
        return intrinsic(doc, "complex_literal", &[zero, other], Ty::scalar(base));
    }
    zero
}

/// `[zero]`
pub(super) fn zero_vector(doc: &mut Document, base: Base, like: ExprId) -> ExprId {
    let zero = zero(doc, base, like);
    let place = doc.exprs[like].place;
    let kind = ExprKind::ArrayConstructor { spec: None, items: vec![zero] };
    node(doc, kind, Ty { base, rank: 1 }, place)
}
