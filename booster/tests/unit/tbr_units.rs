//! AdjU of small programs, those of paper 1 among them.

use booster_adjoint::Modes;
use booster_adjoint::tbr::Tbr;
use booster_facts::externals::Externals;
use booster_facts::{Accesses, Storage};
use booster_rules::Catalogue;
use booster_tests::document;

/// AdjU of the subroutine `s` with real dummy arguments and statements: the names of what its
/// adjoint needs with the values at its exit.
fn adju(dummies: &str, statements: &str) -> Vec<String> {
    let head = format!("subroutine s({dummies})\nreal(8) :: {dummies}\n");
    names(&format!("{head}{statements}\nend subroutine\n"), "s")
}

fn names(source: &str, procedure: &str) -> Vec<String> {
    let doc = document(source);
    let storage = Storage::new(&doc);
    let accesses = Accesses::new(&doc, &storage);
    let (externals, catalogue) = (Externals::new(), Catalogue::standard());
    let tbr = Tbr::new(&accesses, &externals, &catalogue, &Modes::default());
    let proc = doc.procs.iter().find(|(_, proc)| doc.name(proc.symbol) == procedure);
    let (proc, _) = proc.expect("a procedure");
    let locations = tbr.summary(proc);
    let mut names: Vec<String> =
        locations.iter().map(|&location| tbr.name(proc, location)).collect();
    names.sort();
    names
}

const ALL: &str = "x1, x2, y, z, v";

#[test]
fn a_nonlinear_statement_needs_what_it_reads() {
    assert_eq!(adju(ALL, "y = sin(x1 + x2)"), ["x1", "x2"]);
}

#[test]
fn a_copy_needs_nothing() {
    assert!(adju(ALL, "z = y").is_empty());
    assert!(adju(ALL, "x1 = x2").is_empty());
}

#[test]
fn a_product_needs_both_factors() {
    assert_eq!(adju(ALL, "v = z*x2"), ["x2", "z"]);
}

#[test]
fn what_is_overwritten_behind_a_statement_is_needed_no_more_at_the_end() {
    let first = "y = sin(x1 + x2)\nz = y\n";
    assert_eq!(adju(ALL, first), ["x1", "x2"]);
    assert_eq!(adju(ALL, &format!("{first}x1 = x2")), ["x2"]);
    assert_eq!(adju(ALL, &format!("{first}x1 = x2\nv = z*x2")), ["x2", "z"]);
}

#[test]
fn a_statement_that_overwrites_what_it_reads_needs_nothing_behind_it() {
    assert!(adju(ALL, "y = y*y").is_empty());
}

#[test]
fn an_element_leaves_the_others_needed() {
    let source = "subroutine s(x, n)\ninteger :: n\nreal(8) :: x(n)\nx(n) = x(n)*x(1)\nend";
    assert_eq!(names(source, "s"), ["n", "x"]);
}

#[test]
fn only_indices_of_linear_statements_are_needed() {
    let source = "subroutine s(x, n, i)\ninteger :: n, i\nreal(8) :: x(n)\nx(1) = x(i)\nend";
    assert_eq!(names(source, "s"), ["i", "n"]);
}

#[test]
fn the_variable_of_a_loop_is_given_by_the_loop() {
    let source = "subroutine s(x, i)\ninteger :: i\nreal(8) :: x(9)\ndo i = 1, 9\nx(i) = 2*x(i)\n\
                  end do\nend";
    assert!(names(source, "s").is_empty());
}

#[test]
fn what_one_arm_overwrites_is_needed_for_the_other_and_so_is_the_condition() {
    let source = "subroutine s(x, y, l)\nlogical :: l\nreal(8) :: x, y\ny = sin(x)\n\
                  if (l) x = 1.0\nend";
    assert_eq!(names(source, "s"), ["l", "x"]);
}

#[test]
fn a_call_needs_what_the_callee_reads_again_and_needs_at_its_end() {
    let source = "subroutine s(x, y)\nreal(8) :: x, y\ncall p(x, y)\nend\n\
                  subroutine p(a, b)\nreal(8) :: a, b\nb = 2*a\nb = b + sin(b)\nend";
    assert!(names(source, "p").is_empty());
    assert_eq!(names(source, "s"), ["x"]);
}

#[test]
fn procedures_that_call_each_other_agree() {
    let source = "recursive subroutine s(x, y, n)\ninteger :: n\nreal(8) :: x, y\n\
                  if (n > 0) call p(x, y, n - 1)\ny = y + x*x\nend\n\
                  recursive subroutine p(a, b, m)\ninteger :: m\nreal(8) :: a, b\n\
                  if (m > 0) call s(a, b, m - 1)\nb = 2*b\nend";
    assert_eq!(names(source, "s"), ["n", "x"]);
    assert_eq!(names(source, "p"), ["a", "m"]);
}
