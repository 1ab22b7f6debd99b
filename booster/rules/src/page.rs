//! docs/intrinsics.md: the standard catalogue as a page for people, made from the table.

use xaif_schema::intrinsics::{self, Intrinsic, Spelling};

use super::adjoints;
use super::table::{self, Row};
use super::{Form, When};

/// The page; docs/intrinsics.md is this text, and a test holds the two equal.
pub fn page() -> String {
    let mut text = String::from(OPENING);
    for (title, rows) in table::SECTIONS {
        text += &format!("\n## {title}\n\n");
        text += "| operation | derivative | adjoint | where there is none |\n|---|---|---|---|\n";
        for row in *rows {
            text += &line(row);
        }
    }
    text += OWN;
    text += "\n```xml\n";
    text += include_str!("example.xaif");
    text += "```\n";
    text
}

const OWN: &str = "
## Your own catalogue

`--intrinsics FILE` adds the rules of a catalogue in XAIF's own form: `InlinableIntrinsicDefinitions`
(xaif_inlinable_intrinsics.xsd of XAIF 1.0). For each argument of a function it gives the partial
derivative as an expression: nodes, and edges from operands to operators. Argument 0 is the value of
the function. `partial_type` says `passive`, `linear_one` or `linear_minus_one` where no expression is
needed. Names are those of XAIF: `sin_scal`, `mul_scal_scal`; a function that XAIF 1.0 does not name
has its Fortran name. What Fortran computes, `Function`, is not looked at.

An entry overrides the built-in rule of its name, for calls with its number of arguments. It cannot
override functions of whole arrays, conversions, MAX and MIN, and it cannot make a function passive
that has a derivative: then the built-in rule stays, with a warning (OX4161). Of
`NonInlinableIntrinsicDefinitions`, a `DirectAction` of a function on derivatives of its own
(`transpose_arr` by `transpose_arr`) is used; an `ExplicitJacobian` is refused (OX4162), because it
describes a procedure: `--externals FILE` is for these.

The following catalogue is read by a test.
";

const OPENING: &str = "# Derivatives of operators and intrinsic functions

<!-- Made from booster/rules/src/table.rs: OXAD_BLESS=1 cargo test -p booster-tests. -->

What oxad knows of every operation that can carry a derivative. The second column says what the
derivative of each operand contributes, operands parted by `;`. Names are the dummy arguments
(`a` and `b` for operators), `r` is the value of the operation, `d` the derivative of the operand; a
text without `d` is multiplied by it. `tiny` is the smallest normal number, and `as_r` converts to
the type of the result. `digamma`, which Fortran lacks, is written out (recurrence, asymptotic
series and reflection; Abramowitz and Stegun 6.3). `-` carries no derivative.

The third column says what each operand gets from the adjoint `d` of the operation, where that is
more than `d` times the conjugate of the second column. Adjoints are taken with respect to the real
inner product Re(sum(conjg(a)*b)): a real operand gets a real part, a scalar operand of an array
operation a sum; `imaginary` is a factor of the imaginary unit, `zero` zero, `or(a, b)` is `b` where
`a` is absent, and `spread` without a dimension is its first argument. Where a partial derivative is
infinite, an adjoint is divided by the root of `tiny`, so that it stays finite and a zero that it is
multiplied with later stays zero.

The fourth column states what is computed where the operation has no derivative: at ties, kinks,
steps and poles.

Functions whose value is an integer, a logical or a character carry no derivative, and neither do
inquiry functions (`epsilon`, `huge`, `size`, ...); they are not listed.
";

fn line(row: &Row) -> String {
    let operation = match intrinsics::spelling(row.name) {
        Some(Spelling::Operator(operator)) if row.name.matches("scal").count() == 2 => {
            format!("`a {} b`", operator.symbol)
        }
        Some(Spelling::Operator(operator)) => match operator.fixity {
            intrinsics::Fixity::Around => "`(a, b)`".to_string(),
            _ => format!("`{}a`", operator.symbol),
        },
        Some(Spelling::Function(function)) => format!("`{}`", signature(function)),
        None => format!("`{}`", row.name),
    };
    let case = match row.when {
        When::Always => "",
        When::ComplexResult => ", complex",
        When::ComplexOperand => ", complex",
        When::TwoOperands => ", two arguments",
        When::ThreeOperands => ", three arguments",
        // Users have them, the table has not.
        When::Operands { .. } => "",
        When::IntegerExponent => ", integer exponent",
        When::NoNumber => ", of an integer, logical or character",
        When::SameType => ", between numbers of one type",
        When::Ranks(1, 2) => ", vector and matrix",
        When::Ranks(2, 1) => ", matrix and vector",
        When::Ranks(..) => "",
        When::ScalarSecond => ", scalar mask",
    };
    let rule = match row.form {
        Form::Partials(text) => {
            let parts: Vec<String> =
                text.split('|').map(|part| format!("`{}`", squeezed(part))).collect();
            parts.join("; ")
        }
        Form::Same(_) => "the same of the derivatives".to_string(),
        Form::Bilinear => "product rule".to_string(),
        Form::Choice(_) => "that of the argument that is taken".to_string(),
        Form::Statements => "computed by a loop".to_string(),
        Form::Passive => "zero".to_string(),
        Form::Refused(reason) => format!("not supported: {reason}"),
    };
    format!("| {operation}{case} | {rule} | {} | {} |\n", adjoint(row), squeezed(row.note))
}

/// What the adjoint table says of the row's operation.
fn adjoint(row: &Row) -> String {
    let own = match row.form {
        Form::Partials(text) => text.contains("(d") || text.contains("*d)") || text.contains("*d,"),
        Form::Same(_) | Form::Bilinear => true,
        Form::Statements => return "computed by a loop".to_string(),
        Form::Choice(_) => return "to the argument that is taken".to_string(),
        Form::Passive | Form::Refused(_) => false,
    };
    let rows = adjoints::ROWS.iter().filter(|other| own && other.name == row.name);
    let all: Vec<String> = rows
        .map(|row| {
            let parts: Vec<String> =
                row.text.split('|').map(|part| format!("`{}`", squeezed(part))).collect();
            let case = match row.when {
                When::Ranks(1, 2) => "vector and matrix: ",
                When::Ranks(2, 1) => "matrix and vector: ",
                When::ScalarSecond => "scalar mask: ",
                _ => "",
            };
            format!("{case}{}", parts.join("; "))
        })
        .collect();
    match (row.name, all.is_empty()) {
        ("reshape_arr", _) => "the elements in their order, back into the shape".to_string(),
        ("transfer", _) if row.when == When::SameType => {
            "the elements that the result has of the source, back into its shape".to_string()
        }
        (_, true) => String::new(),
        (_, false) => all.join(". "),
    }
}

fn squeezed(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn signature(function: &Intrinsic) -> String {
    let dummies: Vec<String> = function
        .dummies
        .iter()
        .map(|dummy| match (dummy.optional, dummy.repeated) {
            (_, true) => "...".to_string(),
            (true, false) => format!("[{}]", dummy.name),
            (false, false) => dummy.name.to_string(),
        })
        .collect();
    format!("{}({})", function.fortran, dummies.join(", "))
}
