//! The adjoints of RESHAPE and TRANSFER, which depend on which of their arguments are there.
//!
//! RESHAPE takes elements from `source`, then from `pad`, again and again, and puts them into its
//! result in the order that `order` says. Its adjoint goes back: the elements of the adjoint in
//! that order, of which the first belong to `source` and the others to `pad`.

use xaif_schema::diag::{Code, Diagnostic};
use xaif_schema::model::{Base, BoolOp, Dim, Document, ExprId, ExprKind, Operand, Ty};

use super::conform::zero_vector;
use super::extent::{extent as extent_of, extent_along, shape as shape_of, size};
use super::graph::spelling;
use super::values::constant_value;
use booster_build::{Copier, binary, boolean, index, integer, intrinsic, node, value_of};
use booster_rules::operand;

const INTEGER: Base = Base::Integer(4);

/// What the operand at `position` of `expr` gets from its adjoint `seed`, for operations of which the
/// catalogue has no text.
///
/// # Errors
/// Any other operation than RESHAPE and TRANSFER; one whose `order` is neither constant nor a variable with the
/// lower bound 1 nor written element by element.
pub(super) fn special(
    doc: &mut Document,
    expr: ExprId,
    position: u16,
    seed: ExprId,
) -> Result<ExprId, Diagnostic> {
    let ExprKind::Intrinsic { name, operands, .. } = doc.exprs[expr].kind.clone() else {
        return Err(refused(doc, expr, position));
    };
    if let (1, "transfer", Some(source)) = (position, &*name, operand(&operands, 1)) {
        let seed = Copier::new().expr(doc, seed);
        return Ok(of_transferred(doc, (expr, source), seed, operand(&operands, 3).is_some()));
    }
    let source = operand(&operands, 1).filter(|_| &*name == "reshape_arr");
    let Some(source) = source else { return Err(refused(doc, expr, position)) };
    let mut seed = Copier::new().expr(doc, seed);
    if let Some(order) = operand(&operands, 4) {
        seed = match constant_order(doc, order) {
            Some(order) => in_order(doc, seed, &order),
            None => {
                let rank = doc.exprs[seed].ty.rank;
                let Some(order) = elements_of(doc, order, rank) else {
                    return Err(refused(doc, expr, position));
                };
                in_varying_order(doc, seed, &order)
            }
        };
    }
    let base = doc.exprs[seed].ty.base;
    match (position, operand(&operands, 3)) {
        (1, _) => {
            let shape = shape_of(doc, source);
            let ty = Ty { base, rank: doc.exprs[source].ty.rank };
            if extent(doc, source).is_some_and(|size| Some(size) == result_extent(doc, &operands)) {
                return Ok(intrinsic(doc, "reshape_arr", &[seed, shape], ty));
            }
            let rest = zero_vector(doc, base, seed);
            Ok(intrinsic(doc, "reshape_arr", &[seed, shape, rest], ty))
        }
        (3, Some(pad)) => Ok(of_pad(doc, seed, source, pad)),
        _ => Err(refused(doc, expr, position)),
    }
}

/// What the source of a TRANSFER between numbers of one type gets: the adjoints of the elements that the result
/// has of it, in array element order. `sized`: the result has as many elements as the source only by chance.
fn of_transferred(
    doc: &mut Document,
    (result, source): (ExprId, ExprId),
    seed: ExprId,
    sized: bool,
) -> ExprId {
    let Ty { base, rank } = doc.exprs[seed].ty;
    let ty = Ty { base, rank: doc.exprs[source].ty.rank };
    let place = doc.exprs[seed].place;
    match (doc.exprs[result].ty.rank, ty.rank) {
        (0, 0) => return seed,
        (1, 1) if !sized => return seed,
        _ => {}
    }
    let seed = match rank {
        0 => node(
            doc,
            ExprKind::ArrayConstructor { spec: None, items: vec![seed] },
            Ty { base, rank: 1 },
            place,
        ),
        _ => seed,
    };
    let rest = zero_vector(doc, base, seed);
    if ty.rank > 0 {
        let shape = shape_of(doc, source);
        return intrinsic(doc, "reshape_arr", &[seed, shape, rest], ty);
    }
    let one = integer(doc, 1, place);
    let shape = vector(doc, vec![one]);
    let first = intrinsic(doc, "reshape_arr", &[seed, shape, rest], Ty { base, rank: 1 });
    intrinsic(doc, "sum_arr", &[first], ty)
}

/// What the pad gets: the sum of the iterations behind the elements of the source.
fn of_pad(doc: &mut Document, seed: ExprId, source: ExprId, pad: ExprId) -> ExprId {
    let base = doc.exprs[seed].ty.base;
    let place = doc.exprs[seed].place;
    let line = Ty { base, rank: 1 };
    let total = size(doc, seed);
    let mut flat = seed;
    if doc.exprs[seed].ty.rank > 1 {
        let shape = vector(doc, vec![total]);
        flat = intrinsic(doc, "reshape_arr", &[seed, shape], line);
    }
    let skipped = size(doc, source);
    let rest = intrinsic(doc, "eoshift", &[flat, skipped], line);
    // A column for each iteration: there are not more than elements.
    let (length, rounds) = (size(doc, pad), size(doc, seed));
    let shape = vector(doc, vec![length, rounds]);
    let none = zero_vector(doc, base, seed);
    let table = intrinsic(doc, "reshape_arr", &[rest, shape, none], Ty { base, rank: 2 });
    let two = integer(doc, 2, place);
    let sums = intrinsic(doc, "sum_arr", &[table, two], line);
    match doc.exprs[pad].ty.rank {
        0 | 1 => sums,
        rank => {
            let shape = shape_of(doc, pad);
            intrinsic(doc, "reshape_arr", &[sums, shape], Ty { base, rank })
        }
    }
}

/// The elements of `array` in another order: dimension `order[0]` varies fastest.
fn in_order(doc: &mut Document, array: ExprId, order: &[usize]) -> ExprId {
    let ty = doc.exprs[array].ty;
    let place = doc.exprs[array].place;
    if order.iter().zip(1..).all(|(&at, index)| at == index) {
        return array;
    }
    if order.len() == 2 {
        return intrinsic(doc, "transpose_arr", &[array], ty);
    }
    let extents: Vec<ExprId> = order.iter().map(|&at| extent_of(doc, array, at)).collect();
    let inverse: Vec<ExprId> = (1..=order.len())
        .filter_map(|at| order.iter().position(|&other| other == at))
        .map(|index| integer(doc, i64::try_from(index + 1).unwrap_or(1), place))
        .collect();
    reordered(doc, array, extents, inverse)
}

/// As [`in_order`], for an order that is known as the program runs.
fn in_varying_order(doc: &mut Document, array: ExprId, order: &[ExprId]) -> ExprId {
    let place = doc.exprs[array].place;
    let extents: Vec<ExprId> = order
        .iter()
        .map(|&at| {
            let at = Copier::new().expr(doc, at);
            extent_along(doc, array, at)
        })
        .collect();
    // Where each dimension stands in the order: of the terms one is not zero.
    let inverse: Vec<ExprId> = (1_i64..)
        .zip(order)
        .map(|(dimension, _)| {
            let mut total: Option<ExprId> = None;
            for (index, &at) in (1_i64..).zip(order) {
                let at = Copier::new().expr(doc, at);
                let dimension = integer(doc, dimension, place);
                let is_here = boolean(doc, BoolOp::Equal, &[at, dimension]);
                let (index, none) = (integer(doc, index, place), integer(doc, 0, place));
                let term = intrinsic(doc, "merge", &[index, none, is_here], Ty::scalar(INTEGER));
                total = Some(match total {
                    Some(before) => binary(doc, "add_scal_scal", before, term),
                    None => term,
                });
            }
            total.unwrap_or_else(|| integer(doc, 1, place))
        })
        .collect();
    reordered(doc, array, extents, inverse)
}

/// The elements of an `order`, if they can be written down.
fn elements_of(doc: &mut Document, order: ExprId, rank: u8) -> Option<Vec<ExprId>> {
    match doc.exprs[order].kind.clone() {
        ExprKind::ArrayConstructor { items, .. } => {
            let scalars = items.iter().all(|&item| {
                doc.exprs[item].ty.rank == 0
                    && !matches!(doc.exprs[item].kind, ExprKind::ImpliedDo(_))
            });
            (scalars && items.len() == usize::from(rank)).then_some(items)
        }
        ExprKind::Ref(reference) => {
            let reference = doc.refs[reference].clone();
            let dims = &doc.symbols[reference.base].decl.as_deref()?.dims;
            let from_one = match dims.as_slice() {
                [Dim::Explicit { lower, .. } | Dim::AssumedShape { lower }] => {
                    lower.is_none_or(|lower| constant_value(doc, lower) == Some(1.0))
                }
                _ => false,
            };
            if !reference.parts.is_empty() || !from_one {
                return None;
            }
            let element = |at: u8| {
                let at = integer(doc, i64::from(at), reference.place);
                let element = index(doc, reference.base, &[at], reference.place);
                value_of(doc, element)
            };
            Some((1..=rank).map(element).collect())
        }
        ExprKind::Constant(_)
        | ExprKind::Intrinsic { .. }
        | ExprKind::Boolean { .. }
        | ExprKind::Call(_)
        | ExprKind::ImpliedDo(_)
        | ExprKind::StructureConstructor { .. }
        | ExprKind::Procedure(_)
        | ExprKind::Opaque(_) => None,
    }
}

/// `reshape(array, extents, order=inverse)`
fn reordered(
    doc: &mut Document,
    array: ExprId,
    extents: Vec<ExprId>,
    inverse: Vec<ExprId>,
) -> ExprId {
    let (ty, place) = (doc.exprs[array].ty, doc.exprs[array].place);
    let (shape, inverse) = (vector(doc, extents), vector(doc, inverse));
    let operands = [(1, false, array), (2, false, shape), (4, true, inverse)]
        .map(|(position, keyword, expr)| Operand { position, keyword, expr });
    let name = "reshape_arr".into();
    let kind =
        ExprKind::Intrinsic { name, spelling: None, operands: operands.into_iter().collect() };
    node(doc, kind, ty, place)
}

fn vector(doc: &mut Document, items: Vec<ExprId>) -> ExprId {
    let place = items.first().map(|&first| doc.exprs[first].place).unwrap_or_default();
    let kind = ExprKind::ArrayConstructor { spec: None, items };
    node(doc, kind, Ty { base: INTEGER, rank: 1 }, place)
}

/// The values of a constant `order`, if it is a permutation.
fn constant_order(doc: &Document, order: ExprId) -> Option<Vec<usize>> {
    let ExprKind::ArrayConstructor { items, .. } = &doc.exprs[order].kind else { return None };
    let values: Option<Vec<usize>> =
        items.iter().map(|&item| constant_value(doc, item).map(|value| value as usize)).collect();
    let values = values?;
    (1..=values.len()).all(|at| values.contains(&at)).then_some(values)
}

/// The number of elements of a variable of constant shape.
fn extent(doc: &Document, expr: ExprId) -> Option<f64> {
    let ExprKind::Ref(reference) = doc.exprs[expr].kind else { return None };
    let reference = &doc.refs[reference];
    if !reference.parts.is_empty() {
        return None;
    }
    let dims = &doc.symbols[reference.base].decl.as_deref()?.dims;
    let lengths = dims.iter().map(|dim| match dim {
        Dim::Explicit { lower, upper } => {
            let lower = match lower {
                Some(lower) => constant_value(doc, *lower)?,
                None => 1.0,
            };
            Some(constant_value(doc, *upper)? - lower + 1.0)
        }
        Dim::AssumedShape { .. } | Dim::AssumedSize { .. } | Dim::Deferred | Dim::AssumedRank => {
            None
        }
    });
    lengths.product()
}

/// The number of elements of the result of RESHAPE, where its shape is written as constants.
fn result_extent(doc: &Document, operands: &[Operand]) -> Option<f64> {
    let shape = operands.iter().find(|operand| operand.position == 2)?.expr;
    let ExprKind::ArrayConstructor { items, .. } = &doc.exprs[shape].kind else { return None };
    items.iter().map(|&item| constant_value(doc, item)).product()
}

/// The adjoint of an operand for which there is no rule.
fn refused(doc: &Document, expr: ExprId, position: u16) -> Diagnostic {
    let spot = doc.spot(doc.exprs[expr].place);
    let message = format!("argument {position} of `{}` has no adjoint", spelling(doc, expr));
    Diagnostic::error(Code::RULE_REFUSED, spot, message)
        .with_help("write it in other terms, or assign it to a variable that has no derivative")
}
