//! The rows of the standard catalogue.
//!
//! A text per operand, parted by `|`, in the language of `language.rs`; `-` is an operand that
//! carries no derivative. Where an operation has several rows, the first whose condition holds is
//! taken. `note` states the rule at ties, kinks and poles; docs/intrinsics.md prints it.
//!
//! Sources: Griewank and Walther, "Evaluating Derivatives", 2nd ed., table 2.3 and section 14.1
//! (kinks); Abramowitz and Stegun 6.3, 7.1, 7.2, 9.1.27; Fortran 2018, clause 16.

use xaif_schema::model::BoolOp;

use super::{Form, When};

/// One row.
#[derive(Clone, Copy, Debug)]
pub(super) struct Row {
    /// XAIF's name of the operation.
    pub(super) name: &'static str,
    /// When it holds.
    pub(super) when: When,
    /// The rule.
    pub(super) form: Form,
    /// What it says where the operation has no derivative.
    pub(super) note: &'static str,
}

const fn row(name: &'static str, form: Form) -> Row {
    Row { name, when: When::Always, form, note: "" }
}

const fn noted(name: &'static str, form: Form, note: &'static str) -> Row {
    Row { name, when: When::Always, form, note }
}

const fn cased(name: &'static str, when: When, form: Form, note: &'static str) -> Row {
    Row { name, when, form, note }
}

const fn partials(text: &'static str) -> Form {
    Form::Partials(text)
}

const TIE: &str = "at a tie the first of the equal arguments counts";
const ZERO_STAYS: &str = "where the derivative is infinite, a zero derivative of the operand stays \
    zero and any other becomes huge";
const STEPS: &str = "piecewise constant: the derivative is zero, also at the steps";

/// Operators.
const OPERATORS: &[Row] = &[
    row("add_scal_scal", partials("d | d")),
    row("sub_scal_scal", partials("d | -d")),
    row("mul_scal_scal", partials("d*b | a*d")),
    row("div_scal_scal", partials("d/b | -r*d/b")),
    row("minus_scal", partials("-d")),
    row("plus_scal", partials("d")),
    row("complex_literal", Form::Same(&[1, 2])),
    cased(
        "pow_scal_scal",
        When::IntegerExponent,
        partials("b*a**merge(b - 1, 0, b /= 0) | -"),
        "exact; with exponent 0 the derivative is zero, also at zero",
    ),
    cased(
        "pow_scal_scal",
        When::ComplexResult,
        partials(
            "b*a**(b - 1) | \
            r*log(as_r(merge(a, 1, abs(a) > 0)))",
        ),
        "at zero the derivative with respect to the exponent is zero",
    ),
    row_power(),
];

const fn row_power() -> Row {
    noted(
        "pow_scal_scal",
        partials(
            "b*merge(a, tiny, abs(a) > 0 .or. b >= 1)**(b - 1) | \
            r*log(as_r(merge(a, 1, a > 0)))",
        ),
        "at a base of zero the derivative with respect to the exponent is zero (for a negative \
         base there is none: zero too); where the derivative with respect to the base is infinite, \
         it is huge; with exponent 0 it is zero",
    )
}

/// Elementary functions.
const ELEMENTARY: &[Row] = &[
    row("sin_scal", partials("cos(x)")),
    row("cos_scal", partials("-sin(x)")),
    row("tan_scal", partials("1 + r**2")),
    cased("arcsin_scal", When::ComplexResult, partials("1/sqrt((1 - x)*(1 + x))"), ""),
    noted("arcsin_scal", partials("1/max(sqrt((1 - x)*(1 + x)), tiny)"), ZERO_STAYS),
    cased("arccos_scal", When::ComplexResult, partials("-1/sqrt((1 - x)*(1 + x))"), ""),
    noted("arccos_scal", partials("-1/max(sqrt((1 - x)*(1 + x)), tiny)"), ZERO_STAYS),
    cased("arctan_scal", When::TwoOperands, partials("x/(x**2 + y**2) | -y/(x**2 + y**2)"), ""),
    row("arctan_scal", partials("1/(1 + y**2) | -")),
    row("arctan_scal_scal", partials("x/(x**2 + y**2) | -y/(x**2 + y**2)")),
    row("sinh_scal", partials("cosh(x)")),
    row("cosh_scal", partials("sinh(x)")),
    row("tanh_scal", partials("1 - r**2")),
    cased("asinh", When::ComplexResult, partials("1/sqrt(1 + x**2)"), ""),
    row("asinh", partials("1/hypot(1.0, x)")),
    cased("acosh", When::ComplexResult, partials("1/(sqrt(x - 1)*sqrt(x + 1))"), ""),
    noted("acosh", partials("1/max(sqrt(x - 1)*sqrt(x + 1), tiny)"), ZERO_STAYS),
    row("atanh", partials("1/((1 - x)*(1 + x))")),
    row("exp_scal", partials("r")),
    row("ln_scal", partials("1/x")),
    row("log10", partials("1/(2.30258509299404568401799145468436421*x)")),
    cased("sqrt_scal", When::ComplexResult, partials("1/(2*r)"), ""),
    noted("sqrt_scal", partials("1/(2*max(r, tiny))"), ZERO_STAYS),
    row("hypot", HYPOT),
];

const HYPOT: Form = partials("x/max(r, tiny) | y/max(r, tiny)");

/// The error function, gamma and Bessel families.
const SPECIAL: &[Row] = &[
    row("gamma", partials("r*digamma(x)")),
    row("log_gamma", partials("digamma(x)")),
    row("lgamma", partials("digamma(x)")),
    row("erf", partials("1.12837916709551257389615890312154517*exp(-x**2)")),
    row("erfc", partials("-1.12837916709551257389615890312154517*exp(-x**2)")),
    row("erfc_scaled", partials("2*x*r - 1.12837916709551257389615890312154517")),
    row("bessel_j0", partials("-bessel_j1(x)")),
    row("bessel_j1", partials("0.5*(bessel_j0(x) - bessel_jn(2, x))")),
    row("bessel_y0", partials("-bessel_y1(x)")),
    row("bessel_y1", partials("0.5*(bessel_y0(x) - bessel_yn(2, x))")),
    cased("bessel_jn", When::ThreeOperands, Form::Refused(ORDERS), ""),
    row(
        "bessel_jn",
        partials("- | 0.5*(merge(-1, 1, n == 0)*bessel_jn(abs(n - 1), x) - bessel_jn(n + 1, x))"),
    ),
    cased("bessel_yn", When::ThreeOperands, Form::Refused(ORDERS), ""),
    row(
        "bessel_yn",
        partials("- | 0.5*(merge(-1, 1, n == 0)*bessel_yn(abs(n - 1), x) - bessel_yn(n + 1, x))"),
    ),
];

const ORDERS: &str = "the form that gives several orders at once";

/// Trigonometric functions in degrees and others that are extensions of gfortran.
const EXTENSIONS: &[Row] = &[
    row("sind", partials("0.0174532925199432957692369076848861271*cosd(x)")),
    row("cosd", partials("-0.0174532925199432957692369076848861271*sind(x)")),
    row("tand", partials("0.0174532925199432957692369076848861271*(1 + r**2)")),
    row("cotan", partials("-(1 + r**2)")),
    row("cotand", partials("-0.0174532925199432957692369076848861271*(1 + r**2)")),
    noted(
        "asind",
        partials("57.2957795130823208767981548141051703/max(sqrt((1 - x)*(1 + x)), tiny)"),
        ZERO_STAYS,
    ),
    noted(
        "acosd",
        partials("-57.2957795130823208767981548141051703/max(sqrt((1 - x)*(1 + x)), tiny)"),
        ZERO_STAYS,
    ),
    row("atand", partials("57.2957795130823208767981548141051703/(1 + x**2)")),
    row(
        "atan2d",
        partials(
            "57.2957795130823208767981548141051703*x/(x**2 + y**2) | \
            -57.2957795130823208767981548141051703*y/(x**2 + y**2)",
        ),
    ),
    noted("secnds", Form::Passive, "a time carries no derivative"),
    row("rand", Form::Passive),
    row("ran", Form::Passive),
    row("second", Form::Passive),
    row("dtime", Form::Passive),
    row("etime", Form::Passive),
];

/// Kinks, steps and ties.
const KINKS: &[Row] = &[
    cased(
        "abs_scal",
        When::ComplexOperand,
        partials("(real(a)*real(d) + aimag(a)*aimag(d))/max(r, tiny)"),
        "at zero the derivative is zero",
    ),
    noted(
        "abs_scal",
        partials("sign(1, a)"),
        "at zero the derivative is that of the sign of zero: 1 at +0",
    ),
    noted(
        "sign_scal_scal",
        partials("sign(1, a)*sign(1, b) | -"),
        "the second argument carries no derivative",
    ),
    noted("nc_max_scal_scal", Form::Choice(BoolOp::GreaterOrEqual), TIE),
    noted("nc_min_scal_scal", Form::Choice(BoolOp::LessOrEqual), TIE),
    noted(
        "dim",
        partials("merge(1, 0, x > y) | -merge(1, 0, x > y)"),
        "at a tie the derivative is zero",
    ),
    noted(
        "mod_scal_scal",
        partials("d | -anint((a - r)/p)"),
        "at a step the derivative of the value that MOD gives",
    ),
    noted(
        "modulo",
        partials("d | -anint((a - r)/p)"),
        "at a step the derivative of the value that MODULO gives",
    ),
    noted("aint", Form::Passive, STEPS),
    noted("anint", Form::Passive, STEPS),
    noted("spacing", Form::Passive, STEPS),
    noted(
        "rrspacing",
        partials("sign(1, x)*scale(d, digits(x) - exponent(x))"),
        "at a power of two that of the value above",
    ),
    noted(
        "fraction",
        partials("scale(d, -exponent(x))"),
        "at a power of two that of the value above",
    ),
    row("scale", partials("scale(d, i) | -")),
    noted(
        "set_exponent",
        partials("scale(d, i - exponent(x)) | -"),
        "at a power of two that of the value above",
    ),
    noted("nearest", partials("d | -"), "the step to the neighbour carries no derivative"),
];

/// Conversions and choices.
const CONVERSIONS: &[Row] = &[
    row("real_scal", Form::Same(&[1])),
    row("complex_scal", Form::Same(&[1, 2])),
    row("complex", Form::Same(&[1, 2])),
    row("imag_scal", Form::Same(&[1])),
    row("conjg", Form::Same(&[1])),
    row("dprod", Form::Bilinear),
    row("merge", Form::Same(&[1, 2])),
    cased("transfer", When::SameType, Form::Same(&[1]), ""),
    cased("transfer", When::NoNumber, Form::Passive, "no derivative stands beside bits"),
    row("transfer", Form::Refused("it gives the bits of one type to another")),
];

/// Functions of whole arrays.
const ARRAYS: &[Row] = &[
    row("sum_arr", Form::Same(&[1])),
    row("dot_product", Form::Bilinear),
    row("matmul", Form::Bilinear),
    row("transpose_arr", Form::Same(&[1])),
    row("reshape_arr", Form::Same(&[1, 3])),
    row("spread", Form::Same(&[1])),
    row("pack", Form::Same(&[1, 3])),
    row("unpack", Form::Same(&[1, 3])),
    row("cshift", Form::Same(&[1])),
    row("eoshift", Form::Same(&[1, 3])),
    noted("norm2", partials("sum(x*d, dim)/max(r, tiny)"), "at zero the derivative is zero"),
    noted("nc_maxval", Form::Statements, "at a tie the element that MAXLOC gives counts"),
    noted("nc_minval", Form::Statements, "at a tie the element that MINLOC gives counts"),
    row("product", Form::Statements),
    row("reduce", Form::Refused("its operation is a procedure")),
    row("null", Form::Passive),
];

/// The standard catalogue by subject; the order of rows with one name matters.
pub(super) const SECTIONS: &[(&str, &[Row])] = &[
    ("Operators", OPERATORS),
    ("Elementary functions", ELEMENTARY),
    ("Special functions", SPECIAL),
    ("Kinks, ties and steps", KINKS),
    ("Conversions and choices", CONVERSIONS),
    ("Array functions", ARRAYS),
    ("Extensions", EXTENSIONS),
];

/// Every row of the standard catalogue.
pub(super) fn rows() -> impl Iterator<Item = &'static Row> {
    SECTIONS.iter().flat_map(|(_, rows)| rows.iter())
}
