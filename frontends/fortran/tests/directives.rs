//! Directives INDEPENDENT and DEPENDENT that have no effect are told.

#![allow(clippy::unwrap_used)] // a test may panic

mod common;

use common::complaints;

fn of(line: &str) -> Vec<String> {
    complaints(&format!("subroutine p(x, y)\nreal x, y\n{line}\ny = x\nend subroutine\n"))
}

#[test]
fn a_list_that_cannot_be_read_is_not_read_in_part() {
    for list in ["", "(x y)", "(x", "(x) y", "(,x)"] {
        assert_eq!(of(&format!("!$oxad independent{list}")), ["OX1112 3:1"], "{list}");
    }
    for list in [" x, y", "(x)", " (x, y)"] {
        assert_eq!(of(&format!("!$oxad independent{list}")), [""; 0], "{list}");
    }
}

#[test]
fn a_misspelt_sentinel_is_told_where_its_word_is_known() {
    for line in ["!$oaxd independent(x)", "!$oxd dependent(y)", "!$opnad independant(x)"] {
        assert_eq!(of(line), ["OX1112 3:1"], "{line}");
    }
    for line in ["!$omp parallel do", "!$omp simd", "!$acc loop", "!dir$ ivdep", "!$ x", "!$oxd 1"]
    {
        assert_eq!(of(line), [""; 0], "{line}");
    }
}

#[test]
fn a_directive_in_no_procedure_has_no_effect() {
    let mut found = complaints(
        "!$oxad independent(x)\nmodule m\nreal x\n!$oxad dependent(x)\ncontains\n\
         !$oxad independent(x)\nsubroutine p(x)\nreal x\nx = 1\nend subroutine\nend module\n",
    );
    found.sort();
    assert_eq!(found, ["OX1112 1:1", "OX1112 4:1", "OX1112 6:1"]);
}
