//! Operators: XAIF's names, Fortran's spelling, and how tightly they bind.
//!
//! Comparisons and logical operations are not intrinsics in XAIF; [`boolean_operator`] has them.

use crate::model::BoolOp;

/// An operator of Fortran.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Operator {
    /// Its name in XAIF.
    pub xaif: &'static str,
    /// How Fortran writes it.
    pub symbol: &'static str,
    /// Where it stands.
    pub fixity: Fixity,
    /// How tightly it binds: an operand that binds less needs parentheses.
    pub precedence: u8,
}

/// Where an operator stands, and how a chain of operators of the same precedence is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Fixity {
    /// Before its only operand.
    Prefix,
    /// Between its operands; `a op b op c` is `(a op b) op c`.
    Left,
    /// Between its operands; `a op b op c` is `a op (b op c)`.
    Right,
    /// Between its operands; `a op b op c` is not allowed.
    Never,
    /// `(a, b)`: around its operands.
    Around,
}

const fn row(xaif: &'static str, symbol: &'static str, fixity: Fixity, precedence: u8) -> Operator {
    Operator { xaif, symbol, fixity, precedence }
}

/// The operators on numbers and strings.
pub const OPERATORS: &[Operator] = &[
    row("complex_literal", "(,)", Fixity::Around, 12),
    row("pow_scal_scal", "**", Fixity::Right, 10),
    row("mul_scal_scal", "*", Fixity::Left, 9),
    row("div_scal_scal", "/", Fixity::Left, 9),
    row("minus_scal", "-", Fixity::Prefix, 8),
    row("plus_scal", "+", Fixity::Prefix, 8),
    row("add_scal_scal", "+", Fixity::Left, 7),
    row("sub_scal_scal", "-", Fixity::Left, 7),
    row("string_concat", "//", Fixity::Left, 6),
    row("string_eq_scal_scal", "==", Fixity::Never, 5),
    row("string_ne_scal_scal", "/=", Fixity::Never, 5),
    row("string_lt_scal_scal", "<", Fixity::Never, 5),
    row("string_le_scal_scal", "<=", Fixity::Never, 5),
    row("string_gt_scal_scal", ">", Fixity::Never, 5),
    row("string_ge_scal_scal", ">=", Fixity::Never, 5),
];

/// The operator with this name in XAIF.
pub fn operator(xaif: &str) -> Option<&'static Operator> {
    OPERATORS.iter().find(|operator| operator.xaif == xaif)
}

/// The operator of a comparison or logical operation.
pub const fn boolean_operator(op: BoolOp) -> Operator {
    match op {
        BoolOp::LessThan => row("less_than", "<", Fixity::Never, 5),
        BoolOp::LessOrEqual => row("less_or_equal", "<=", Fixity::Never, 5),
        BoolOp::GreaterThan => row("greater_than", ">", Fixity::Never, 5),
        BoolOp::GreaterOrEqual => row("greater_or_equal", ">=", Fixity::Never, 5),
        BoolOp::Equal => row("equal", "==", Fixity::Never, 5),
        BoolOp::NotEqual => row("not_equal", "/=", Fixity::Never, 5),
        BoolOp::Not => row("not", ".not.", Fixity::Prefix, 4),
        BoolOp::And => row("and", ".and.", Fixity::Left, 3),
        BoolOp::Or => row("or", ".or.", Fixity::Left, 2),
        BoolOp::Xor => row("xor", ".neqv.", Fixity::Left, 1),
        BoolOp::Equivalent => row("equivalent", ".eqv.", Fixity::Left, 1),
    }
}

/// How `.name.` with one operand binds.
pub const fn defined_unary() -> (Fixity, u8) {
    (Fixity::Prefix, 11)
}

/// How `.name.` between two operands binds.
pub const fn defined_binary() -> (Fixity, u8) {
    (Fixity::Left, 0)
}
