//! Derivatives of the shape that a place asks for.
//!
//! The derivative of `s + a(:)` with respect to `s` alone is the scalar `sd`. In an assignment that
//! is right; as the argument of SUM it is not.

use xaif_schema::model::{Base, Document, ExprId, ExprKind, Ty};

use super::extent::extent;
use super::instantiate::literal_base;
use booster_build::{Copier, integer, intrinsic, node, real};

/// `derivative`, the derivative of `primal` that [`tangent_of`](super::tangent_of) gives, with the
/// rank of `primal`: a scalar is spread over its shape. An assignment needs that only where the
/// left-hand side is allocatable and takes its shape from the right-hand side.
pub fn conform(doc: &mut Document, derivative: ExprId, primal: ExprId) -> ExprId {
    let rank = doc.exprs[primal].ty.rank;
    if doc.exprs[derivative].ty.rank != 0 || rank == 0 {
        return derivative;
    }
    let place = doc.exprs[primal].place;
    let base = doc.exprs[derivative].ty.base;
    let mut result = derivative;
    for dimension in 1..=rank {
        let copies = extent(doc, primal, usize::from(dimension));
        let along = integer(doc, i64::from(dimension), place);
        let ty = Ty { base, rank: dimension };
        result = intrinsic(doc, "spread", &[result, along, copies], ty);
    }
    result
}

/// Zero of a type, a scalar.
pub fn zero(doc: &mut Document, base: Base, like: ExprId) -> ExprId {
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
