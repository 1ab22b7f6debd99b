//! The adjoints of operations that are no products with a partial derivative.
//!
//! A text per operand, parted by `|`, says what the operand gets from the adjoint `d` of the
//! operation (`language::parse_adjoint`); `-` gets nothing, or needs statements. The adjoint of a
//! partial derivative is the product with its conjugate and needs no row. Where an operation has
//! several rows, the first whose condition holds is taken.
//!
//! Adjoints are taken with respect to the real inner product, Re(sum(conjg(a)*b)), so a linear map
//! and its row satisfy Re(conjg(d)*f(x)) = Re(conjg(row(d))*x) for all `d` and `x`. The value of a row
//! may be complex where the operand is real (its real part is meant), and of the shape of the
//! operation where the operand is a scalar (its sum is meant).
//!
//! Source: Giles, "An extended collection of matrix derivative results for forward and reverse mode
//! algorithmic differentiation" (2008), section 2, for the products of matrices.

use super::When;

/// One row.
#[derive(Clone, Copy, Debug)]
pub(super) struct Row {
    /// XAIF's name of the operation.
    pub(super) name: &'static str,
    /// When it holds.
    pub(super) when: When,
    /// The texts.
    pub(super) text: &'static str,
}

const fn row(name: &'static str, text: &'static str) -> Row {
    Row { name, when: When::Always, text }
}

const fn cased(name: &'static str, when: When, text: &'static str) -> Row {
    Row { name, when, text }
}

/// Every row.
pub(super) const ROWS: &[Row] = &[
    row("complex_literal", "d | aimag(d)"),
    row("real_scal", "d"),
    row("complex_scal", "d | aimag(d)"),
    row("complex", "d | aimag(d)"),
    row("imag_scal", "imaginary(d)"),
    row("conjg", "conjg(d)"),
    row("dprod", "d*y | x*d"),
    row("merge", "merge(d, zero, mask) | merge(zero, d, mask)"),
    row("abs_scal", "d*a/max(r, tiny)"),
    row("rrspacing", "sign(1, x)*scale(d, digits(x) - exponent(x))"),
    row("fraction", "scale(d, -exponent(x))"),
    row("scale", "scale(d, i)"),
    row("set_exponent", "scale(d, i - exponent(x))"),
    row("sum_arr", "merge(spread(d, dim, size(array, dim)), zero, mask)"),
    row("dot_product", "conjg(d)*vector_b | vector_a*d"),
    cased(
        "matmul",
        When::Ranks(1, 2),
        "matmul(conjg(matrix_b), d) | \
        spread(conjg(matrix_a), 2, size(matrix_b, 2))*spread(d, 1, size(matrix_a))",
    ),
    cased(
        "matmul",
        When::Ranks(2, 1),
        "spread(d, 2, size(matrix_b))*spread(conjg(matrix_b), 1, size(matrix_a, 1)) | \
        matmul(d, conjg(matrix_a))",
    ),
    row("matmul", "matmul(d, transpose(conjg(matrix_b))) | matmul(transpose(conjg(matrix_a)), d)"),
    row("transpose_arr", "transpose(d)"),
    row("spread", "sum(d, dim)"),
    cased(
        "pack",
        When::ScalarSecond,
        "merge(reshape(d, shape(array), [zero]), zero, mask) | - | \
        eoshift(eoshift(d, merge(size(array), 0, mask)), -merge(size(array), 0, mask))",
    ),
    row("pack", "unpack(d, mask, zero) | - | eoshift(eoshift(d, count(mask)), -count(mask))"),
    row("unpack", "pack(d, mask, spread(zero, 1, size(vector))) | - | merge(zero, d, mask)"),
    row("cshift", "cshift(d, -shift, dim)"),
    row(
        "eoshift",
        "eoshift(d, -shift, absent, dim) | - | \
        sum(d - eoshift(eoshift(d, -shift, absent, dim), shift, absent, dim), or(dim, 1))",
    ),
    row("norm2", "x*spread(d, dim, size(x, dim))/spread(max(r, tiny), dim, size(x, dim))"),
];
