//! Sums and differences in which numbers are added at once.

use xaif_schema::model::{ConstantKind, Document, ExprId, ExprKind};

use super::{binary, integer};

/// A sum or difference (`add_scal_scal`, `sub_scal_scal`); of `x - 1 + 2` and the like the numbers are
/// added.
pub fn sum(doc: &mut Document, name: &str, left: ExprId, right: ExprId) -> ExprId {
    let sign = if name == "sub_scal_scal" { -1 } else { 1 };
    let Some(number) = literal(doc, right).and_then(|right| right.checked_mul(sign)) else {
        return binary(doc, name, left, right);
    };
    let (rest, before) = match split(doc, left) {
        Some((rest, before)) => (Some(rest), before),
        None => match literal(doc, left) {
            Some(number) => (None, number),
            None => (Some(left), 0),
        },
    };
    let Some(total) = before.checked_add(number) else {
        return binary(doc, name, left, right);
    };
    let place = doc.exprs[left].place;
    match (rest, total) {
        (Some(rest), 0) => rest,
        (None, total) => integer(doc, total, place),
        (Some(rest), total) => {
            let name = if total < 0 { "sub_scal_scal" } else { "add_scal_scal" };
            let amount = integer(doc, total.saturating_abs(), place);
            binary(doc, name, rest, amount)
        }
    }
}

/// The value of an integer literal.
fn literal(doc: &Document, expr: ExprId) -> Option<i64> {
    match &doc.exprs[expr].kind {
        ExprKind::Constant(constant) if constant.kind == ConstantKind::None => {
            constant.text.parse().ok()
        }
        _ => None,
    }
}

/// `x + 1` or `x - 1`: what the number is added to, and the number.
fn split(doc: &Document, expr: ExprId) -> Option<(ExprId, i64)> {
    let ExprKind::Intrinsic { name, operands, .. } = &doc.exprs[expr].kind else { return None };
    let [left, right] = operands.as_slice() else { return None };
    let number = literal(doc, right.expr)?;
    match &**name {
        "add_scal_scal" => Some((left.expr, number)),
        "sub_scal_scal" => Some((left.expr, number.checked_neg()?)),
        _ => None,
    }
}
