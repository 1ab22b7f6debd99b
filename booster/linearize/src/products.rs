//! Products as a person writes them: constants folded, scalars before arrays.
//!
//! `2*x*0.5d0*s` is `x*s`, and `2*v(:)*m*s` is `2*m*s*v(:)`: one multiplication for each element. Only constants whose
//! product is exact are folded, a power of two with another one; factors in parentheses stay together. Where the factors
//! are of several kinds the order decides about rounding, so nothing changes.

use xaif_schema::model::{
    Base, Constant, ConstantClass, ConstantKind, Document, ExprId, ExprKind, Place,
};

use booster_build::{binary, integer, node};

/// No product of more factors is looked at.
const MOST: usize = 30;

/// `expr` with its product written anew: that of a numerator, of what MERGE chooses, of the summed array, too. New nodes
/// of which nothing else is made are changed in place.
pub(super) fn tidied(doc: &mut Document, expr: ExprId) -> ExprId {
    let ExprKind::Intrinsic { name, operands, .. } = &doc.exprs[expr].kind else { return expr };
    let first = operands.first().map(|first| first.expr);
    match (&**name, first) {
        ("mul_scal_scal", _) => product(doc, expr).unwrap_or(expr),
        ("div_scal_scal" | "merge" | "sum_arr", Some(first)) => {
            let new = tidied(doc, first);
            if let ExprKind::Intrinsic { operands, .. } = &mut doc.exprs[expr].kind
                && let Some(first) = operands.first_mut()
            {
                first.expr = new;
            }
            expr
        }
        _ => expr,
    }
}

/// The product written anew; `None` where it stays.
fn product(doc: &mut Document, expr: ExprId) -> Option<ExprId> {
    let ty = doc.exprs[expr].ty;
    let factors = factors(doc, expr)?;
    let literal = |&factor: &ExprId| matches!(doc.exprs[factor].kind, ExprKind::Constant(_));
    let whole = |factor: ExprId| matches!(doc.exprs[factor].ty.base, Base::Integer(_));
    let alike = factors
        .iter()
        .all(|factor| doc.exprs[*factor].ty.base == ty.base || literal(factor) && whole(*factor));
    let number = factors.iter().any(|factor| !literal(factor));
    if !alike || !number || !matches!(ty.base, Base::Real(bytes) if bytes > 0) {
        return None;
    }
    let (arrays, scalars): (Vec<ExprId>, Vec<ExprId>) =
        factors.iter().partition(|&&factor| doc.exprs[factor].ty.rank > 0);
    let ordered = arrays.is_empty()
        || scalars.len() < 2
        || factors.iter().rev().take(arrays.len()).all(|factor| arrays.contains(factor));
    let (literals, others): (Vec<ExprId>, Vec<ExprId>) =
        scalars.iter().partition(|factor| literal(factor));
    let kept = others.len() + arrays.len();
    let place = doc.exprs[expr].place;
    let folded = folded(doc, &literals, kept > 0, place);
    if ordered && folded.len() == literals.len() {
        return None;
    }
    let order: Vec<ExprId> = match ordered {
        false => folded.into_iter().chain(others).chain(arrays).collect(),
        true => {
            let rest = factors.into_iter().filter(|factor| !literals.contains(factor));
            folded.into_iter().chain(rest).collect()
        }
    };
    let parens = doc.exprs[expr].parens;
    let new = order.into_iter().reduce(|left, right| binary(doc, "mul_scal_scal", left, right))?;
    if doc.exprs[new].ty != ty {
        return None;
    }
    doc.exprs[new].parens |= parens;
    Some(new)
}

/// The factors of a product, as far as no parentheses keep them together.
fn factors(doc: &Document, expr: ExprId) -> Option<Vec<ExprId>> {
    let mut factors = Vec::new();
    let mut spine = expr;
    while let ExprKind::Intrinsic { name, operands, .. } = &doc.exprs[spine].kind
        && &**name == "mul_scal_scal"
        && (spine == expr || !doc.exprs[spine].parens)
    {
        let [left, right] = operands.as_slice() else { return None };
        factors.push(right.expr);
        spine = left.expr;
        if factors.len() > MOST {
            return None;
        }
    }
    factors.push(spine);
    factors.reverse();
    Some(factors)
}

/// Literals with the powers of two among them multiplied into others; `droppable` tells whether a one may go.
fn folded(doc: &mut Document, literals: &[ExprId], droppable: bool, place: Place) -> Vec<ExprId> {
    let mut twos: i64 = 1;
    let mut rest: Vec<ExprId> = Vec::new();
    for &literal in literals {
        match power_of_two(doc, literal) {
            Some(two) if twos < 1 << 20 => twos *= two,
            Some(_) | None => rest.push(literal),
        }
    }
    if literals.len() < 2 || twos == 1 {
        return literals.to_vec();
    }
    let Some(position) = rest.iter().position(|&one| is_plain_real(doc, one)) else {
        rest.insert(0, integer(doc, twos, place));
        return rest;
    };
    let Some(product) = times(doc, rest[position], twos) else { return literals.to_vec() };
    let is_one = match &doc.exprs[product].kind {
        ExprKind::Constant(constant) => matches!(&*constant.text, "1.0" | "1.0d0" | "1.0e0"),
        _ => false,
    };
    rest.remove(position);
    if !(is_one && droppable) {
        rest.insert(0, product);
    }
    rest
}

/// A whole literal of default kind that is a small power of two.
fn power_of_two(doc: &Document, literal: ExprId) -> Option<i64> {
    let ExprKind::Constant(constant) = &doc.exprs[literal].kind else { return None };
    let plain = constant.class == ConstantClass::Integer && constant.kind == ConstantKind::None;
    let value: i64 = constant.text.parse().ok().filter(|_| plain)?;
    (value <= 64 && value.count_ones() == 1).then_some(value)
}

fn is_plain_real(doc: &Document, literal: ExprId) -> bool {
    match &doc.exprs[literal].kind {
        ExprKind::Constant(constant) => {
            matches!(constant.class, ConstantClass::Real | ConstantClass::Double)
        }
        _ => false,
    }
}

/// A real literal times a power of two: rounded to the kind of the literal, that is the same number in both orders.
fn times(doc: &mut Document, literal: ExprId, two: i64) -> Option<ExprId> {
    let ExprKind::Constant(constant) = &doc.exprs[literal].kind else { return None };
    let letter = constant.text.find(['e', 'E', 'd', 'D', 'q', 'Q']).unwrap_or(constant.text.len());
    let (mantissa, exponent) = constant.text.split_at(letter);
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    if whole.len() + fraction.len() > 30 {
        return None;
    }
    let digits: u128 = format!("{whole}{fraction}").parse().ok()?;
    let digits = digits.checked_mul(u128::try_from(two).ok()?)?;
    let scale = 10_u128.checked_pow(u32::try_from(fraction.len()).ok()?)?;
    let places = fraction.len();
    let fraction = match places {
        0 => String::new(),
        _ => format!("{:0places$}", digits % scale),
    };
    let fraction = match fraction.trim_end_matches('0') {
        "" => "0",
        fraction => fraction,
    };
    let text = format!("{}.{fraction}{exponent}", digits / scale).to_ascii_lowercase();
    let constant = Constant { text: text.into(), ..constant.clone() };
    let (ty, place) = (doc.exprs[literal].ty, doc.exprs[literal].place);
    Some(node(doc, ExprKind::Constant(constant), ty, place))
}
