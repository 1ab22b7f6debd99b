//! The catalogue against the table of intrinsic procedures.

use xaif_schema::intrinsics::{Class, ResultType, all, operator};

use super::*;

#[test]
fn every_text_of_the_table_is_understood() {
    for row in table::rows() {
        if let Form::Partials(_) = row.form {
            let rule = parse_form(row.name, row.form);
            assert!(matches!(rule, Rule::Partials(_)), "{}: {rule:?}", row.name);
        }
    }
}

#[test]
fn every_text_of_an_adjoint_is_understood() {
    for row in adjoints::ROWS {
        let texts = parse_backward(row.name, row.text);
        assert!(texts.is_ok(), "{}: {texts:?}", row.name);
        assert!(table::rows().any(|other| other.name == row.name), "{} has no rule", row.name);
    }
}

/// Rules that are no products with a partial derivative have a text for each operand that carries a
/// derivative; RESHAPE and TRANSFER have code.
#[test]
fn every_map_has_an_adjoint() {
    let text = |name: &str, position: u16| {
        let rows = adjoints::ROWS.iter().filter(|row| row.name == name);
        let mut texts = rows.map(|row| parse_backward(row.name, row.text).unwrap_or_default());
        let index = usize::from(position - 1);
        texts.any(|texts| texts.get(index).is_some_and(Option::is_some))
    };
    for row in table::rows() {
        let positions: Vec<u16> = match (row.form, parse_form(row.name, row.form)) {
            (Form::Same(positions), _) => positions.to_vec(),
            (Form::Bilinear, _) => vec![1, 2],
            (_, Rule::Partials(locals)) => (1..)
                .zip(locals)
                .filter(|(_, local)| matches!(local, Some(Local::Map(_))))
                .map(|(position, _)| position)
                .collect(),
            _ => Vec::new(),
        };
        let has_code = matches!(row.name, "reshape_arr" | "transfer");
        for position in positions.into_iter().filter(|_| !has_code) {
            assert!(text(row.name, position), "{} {position}", row.name);
        }
    }
}

#[test]
fn every_row_names_an_operation() {
    for row in table::rows() {
        assert!(
            operator(row.name).is_some()
                || intrinsics::by_xaif(row.name).is_some_and(|found| found.xaif == row.name),
            "{}",
            row.name
        );
    }
}

/// Functions whose value can be real or complex have a rule, are declared passive, or are refused.
#[test]
fn every_function_that_can_be_real_has_a_row() {
    let catalogue = Catalogue::standard();
    for row in all() {
        let real = match row.result {
            ResultType::Like(_)
            | ResultType::RealOf(_)
            | ResultType::Promoted
            | ResultType::RealKind
            | ResultType::RealKindLike
            | ResultType::ComplexKind
            | ResultType::Real
            | ResultType::Double
            | ResultType::Unknown => true,
            ResultType::None
            | ResultType::IntegerKind
            | ResultType::LogicalKind
            | ResultType::CharacterKind
            | ResultType::Integer
            | ResultType::IntegerOf(_)
            | ResultType::Logical
            | ResultType::Character => false,
        };
        let known = catalogue.rules.contains_key(row.xaif) || row.class == Class::Inquiry;
        if real && !known {
            assert!(NEVER_REAL.contains(&row.fortran), "{} has no rule", row.fortran);
        }
        if NEVER_REAL.contains(&row.fortran) {
            assert!(!known, "{} has a rule", row.fortran);
        }
    }
    for operator in xaif_schema::intrinsics::OPERATORS {
        let text = operator.xaif.starts_with("string_");
        assert!(text || catalogue.rules.contains_key(operator.xaif), "{}", operator.xaif);
    }
}

/// Their arguments, and so their values, are integers, logicals or characters.
const NEVER_REAL: &[&str] = &[
    "adjustl",
    "adjustr",
    "all",
    "and",
    "any",
    "dshiftl",
    "dshiftr",
    "iall",
    "iand",
    "iany",
    "ibclr",
    "ibits",
    "ibset",
    "ieor",
    "ior",
    "iparity",
    "ishft",
    "ishftc",
    "lshift",
    "merge_bits",
    "not",
    "or",
    "parity",
    "repeat",
    "rshift",
    "shifta",
    "shiftl",
    "shiftr",
    "trim",
    "xor",
];

#[test]
fn what_has_no_expression_needs_statements() {
    for name in ["nc_maxval", "nc_minval", "product"] {
        assert!(needs_statement(name), "{name}");
    }
    for name in ["sum_arr", "sin_scal", "mul_scal_scal", "maxloc_arr"] {
        assert!(!needs_statement(name), "{name}");
    }
}
