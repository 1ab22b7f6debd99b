//! The table against what the standard and gfortran say.

use std::collections::HashSet;
use std::io::Write as _;
use std::process::{Command, Stdio};

use super::*;

#[test]
fn names_are_unique_and_lower_case() {
    let mut xaif = HashSet::new();
    let mut fortran = HashSet::new();
    for operator in OPERATORS {
        assert!(xaif.insert(operator.xaif), "{}", operator.xaif);
    }
    for row in all() {
        assert!(xaif.insert(row.xaif), "{}", row.xaif);
        assert!(fortran.insert(row.fortran), "{}", row.fortran);
        assert_eq!(row.fortran, row.fortran.to_lowercase());
    }
    for specific in specifics() {
        assert!(fortran.insert(specific.name), "{}", specific.name);
    }
}

#[test]
fn every_specific_name_has_its_generic_name() {
    for specific in specifics() {
        let (generic, found) = named(specific.name).unwrap();
        assert!(generic.is_function(), "{}", specific.name);
        assert_eq!(found, Some(specific));
    }
}

#[test]
fn result_rules_point_to_arguments_that_exist() {
    for row in all() {
        if let ResultType::Like(k) | ResultType::RealOf(k) = row.result {
            assert!((1..=row.dummies.len()).contains(&usize::from(k)), "{}", row.fortran);
        }
        if let ResultRank::Like(k) = row.rank {
            assert!((1..=row.dummies.len()).contains(&usize::from(k)), "{}", row.fortran);
        }
        let kind = matches!(
            row.result,
            ResultType::LogicalKind | ResultType::CharacterKind | ResultType::RealKindLike
        );
        assert!(!kind || row.position_of("kind").is_some(), "{}", row.fortran);
        assert_eq!(row.is_function(), row.result != ResultType::None, "{}", row.fortran);
    }
}

#[test]
fn only_subroutines_and_impure_functions_write_their_arguments() {
    for row in all() {
        let writes = row
            .dummies
            .iter()
            .any(|dummy| matches!(dummy.access, Access::Write | Access::ReadWrite));
        assert!(
            !writes || matches!(row.class, Class::Subroutine { .. } | Class::Impure),
            "{}",
            row.fortran
        );
    }
}

#[test]
fn optional_arguments_come_last_but_for_known_exceptions() {
    for row in all() {
        let first = row.dummies.iter().position(|dummy| dummy.optional);
        let last = row.dummies.iter().rposition(|dummy| !dummy.optional);
        if let (Some(first), Some(last)) = (first, last) {
            assert!(last < first, "{}", row.fortran);
        }
    }
}

#[test]
fn arguments_are_found_by_keyword() {
    let max = by_fortran("max").unwrap();
    assert_eq!(max.position_of("a2"), Some(1));
    assert_eq!(max.position_of("a7"), Some(6));
    assert_eq!(max.position_of("b"), None);
    assert!(max.dummy(11).is_some());
    assert!(by_fortran("sin").unwrap().dummy(1).is_none());
    assert_eq!(by_fortran("sum").unwrap().position_of("mask"), Some(2));
}

#[test]
fn genuine_names_are_known() {
    for name in ["add_scal_scal", "iabs_scal", "nc_max_scal_scal", "string_eq_scal_scal", "scan"] {
        assert!(spelling(name).is_some(), "{name}");
    }
    assert_eq!(by_xaif("iabs_scal").map(|row| row.fortran), Some("abs"));
    assert_eq!(by_xaif("arcsin_scal").map(|row| row.fortran), Some("asin"));
}

#[test]
fn power_binds_tighter_than_sign_and_sign_than_sum() {
    let precedence = |name| operator(name).unwrap().precedence;
    assert!(precedence("pow_scal_scal") > precedence("mul_scal_scal"));
    assert!(precedence("mul_scal_scal") > precedence("minus_scal"));
    assert!(precedence("minus_scal") > precedence("add_scal_scal"));
    assert!(precedence("string_concat") > boolean_operator(crate::model::BoolOp::Equal).precedence);
    assert_eq!(operator("pow_scal_scal").unwrap().fixity, Fixity::Right);
}

/// Fortran 2018 has them, but no gfortran that Debian carries.
const NOT_IN_GFORTRAN_12: &[&str] = &["out_of_range", "reduce"];

/// gfortran knows every name of the table as an intrinsic procedure.
#[test]
fn gfortran_knows_every_name() {
    let mut source = String::from("subroutine s\n");
    for row in all().iter().filter(|row| !NOT_IN_GFORTRAN_12.contains(&row.fortran)) {
        source += &format!("intrinsic :: {}\n", row.fortran);
    }
    for specific in specifics() {
        source += &format!("intrinsic :: {}\n", specific.name);
    }
    source += "end subroutine\n";
    let mut child = Command::new("gfortran")
        .args(["-fsyntax-only", "-std=gnu", "-fdec-math", "-fcoarray=single", "-xf95", "-"])
        .stdin(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("gfortran runs");
    child.stdin.take().unwrap().write_all(source.as_bytes()).unwrap();
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}
