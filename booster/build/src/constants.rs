//! The values of constant expressions of integers.

use xaif_schema::model::{
    Base, ConstantClass, Document, ExprId, ExprKind, Init, RefId, Role, SymbolId,
};

/// How deep constant expressions are looked into.
const DEEPEST: u32 = 50;

/// The value of an expression of integer literals and named constants, as bounds, strides and
/// subscripts use it. None where there is another operation, or no value (a division by zero).
pub fn constant_integer(doc: &Document, expr: ExprId) -> Option<i64> {
    integer_given(doc, expr, &|_| None)
}

/// The same where the values of some scalar variables are given.
pub fn integer_given(
    doc: &Document,
    expr: ExprId,
    given: &dyn Fn(SymbolId) -> Option<i64>,
) -> Option<i64> {
    evaluate(doc, expr, given, DEEPEST)
}

fn evaluate(
    doc: &Document,
    expr: ExprId,
    given: &dyn Fn(SymbolId) -> Option<i64>,
    depth: u32,
) -> Option<i64> {
    let depth = depth.checked_sub(1)?;
    let node = &doc.exprs[expr];
    match &node.kind {
        ExprKind::Constant(constant) => match constant.class {
            ConstantClass::Integer => constant.text.parse().ok(),
            ConstantClass::Real
            | ConstantClass::Double
            | ConstantClass::Boz
            | ConstantClass::Hollerith
            | ConstantClass::Null
            | ConstantClass::Bool
            | ConstantClass::Char
            | ConstantClass::String => None,
        },
        ExprKind::Ref(reference) => match named_constant(doc, *reference) {
            Some(Named::Whole(number)) => Some(number),
            Some(Named::Init(_)) => None,
            None if doc.refs[*reference].parts.is_empty() => given(doc.refs[*reference].base),
            None => None,
        },
        ExprKind::Intrinsic { name, operands, .. } => {
            let whole = |expr: ExprId| matches!(doc.exprs[expr].ty.base, Base::Integer(_));
            if node.ty.rank > 0 || !operands.iter().all(|operand| whole(operand.expr)) {
                return None;
            }
            let at = |position: u16| {
                let found = operands.iter().find(|operand| operand.position == position)?;
                evaluate(doc, found.expr, given, depth)
            };
            match &**name {
                "minus_scal" => at(1)?.checked_neg(),
                "plus_scal" => at(1),
                "add_scal_scal" => at(1)?.checked_add(at(2)?),
                "sub_scal_scal" => at(1)?.checked_sub(at(2)?),
                "mul_scal_scal" => at(1)?.checked_mul(at(2)?),
                "div_scal_scal" => at(1)?.checked_div(at(2)?),
                "mod_scal_scal" => at(1)?.checked_rem(at(2)?),
                "modulo" => floored_remainder(at(1)?, at(2)?),
                _ => None,
            }
        }
        ExprKind::Boolean { .. }
        | ExprKind::Call(_)
        | ExprKind::ArrayConstructor { .. }
        | ExprKind::ImpliedDo(_)
        | ExprKind::StructureConstructor { .. }
        | ExprKind::Procedure(_)
        | ExprKind::Opaque(_) => None,
    }
}

/// What a named constant stands for.
pub enum Named {
    /// A number that the front-end has worked out.
    Whole(i64),
    /// The expression of its declaration.
    Init(ExprId),
}

/// What a reference stands for, if it is a named scalar constant and nothing else.
pub fn named_constant(doc: &Document, reference: RefId) -> Option<Named> {
    let reference = &doc.refs[reference];
    let decl = doc.symbols[reference.base].decl.as_deref()?;
    if !matches!(decl.role, Role::Constant) || !reference.parts.is_empty() {
        return None;
    }
    match (decl.value, decl.init) {
        (Some(value), _) => Some(Named::Whole(value)),
        (None, Some(Init::Value(init))) if decl.dims.is_empty() => Some(Named::Init(init)),
        (None, _) => None,
    }
}

/// MODULO: the remainder has the sign of the divisor.
pub fn floored_remainder(dividend: i64, divisor: i64) -> Option<i64> {
    let remainder = dividend.checked_rem(divisor)?;
    let beyond = remainder != 0 && (remainder < 0) != (divisor < 0);
    remainder.checked_add(if beyond { divisor } else { 0 })
}
