//! What goes wrong in a program is a coded message at its place, and what cannot be executed is
//! refused by name.

use fortran_frontend::source::Options;
use fortran_frontend::translate_texts;
use xaif_run::{Limits, Request, run};
use xaif_schema::model::{Expr, ExprKind, Operand, StmtKind};

/// The first line of the message that running `body` as a main program gives.
fn message(body: &str) -> String {
    let source = format!("program p\nimplicit none\n{body}\nend program\n");
    let translation = translate_texts(&[("p.f90", &source)], &Options::default());
    assert!(!translation.diagnostics.has_errors(), "{:?}", translation.diagnostics);
    let limits = Limits { steps: 100_000, memory: 1 << 20, stack: 8 << 20, ..Limits::default() };
    let request = Request { limits, ..Request::default() };
    match run(&translation.document, &request) {
        Ok(outcome) => panic!("it runs and prints {:?}", outcome.stdout),
        Err(found) => found.iter().map(|d| d.to_string()).collect::<Vec<_>>().join("\n"),
    }
}

#[track_caller]
fn check(body: &str, expected: &str) {
    assert_eq!(message(body), expected);
}

#[test]
fn an_index_out_of_bounds_is_found_at_its_place() {
    check(
        "real :: a(3)\ninteger :: i\ni = 4\na(i) = 1",
        "p.f90:6:3: error[OX3003]: `a`: index 4 is outside of 1:3 in dimension 1",
    );
    check(
        "real :: a(2, 0:3)\na = 0\nprint *, a(1, 2:4)",
        "p.f90:5:10: error[OX3003]: `a`: index 4 is outside of 0:3 in dimension 2",
    );
    check(
        "character(3) :: s\ns = 'abc'\nprint *, s(2:4)",
        "p.f90:5:10: error[OX3003]: `s`: substring (2:4) of a character of length 3",
    );
}

#[test]
fn the_use_of_an_undefined_variable_is_found() {
    check(
        "real :: x\nprint *, x + 1",
        "p.f90:4:10: error[OX3004]: `x` is used before it has got a value",
    );
    check(
        "real :: x(3)\nx(1) = 1\nx(3) = 3\nprint *, sum(x)",
        "p.f90:6:10: error[OX3004]: a variable is used before it has got a value",
    );
    check(
        "real, pointer :: p\nprint *, p",
        "p.f90:4:10: error[OX3004]: `p`: a pointer is used that was never given a target",
    );
}

#[test]
fn allocation_is_checked() {
    check(
        "real, allocatable :: a(:)\na(1) = 2",
        "p.f90:4:1: error[OX3005]: `a`: an allocatable is used that is not allocated",
    );
    check(
        "real, allocatable :: a(:)\nallocate (a(2))\nallocate (a(3))",
        "p.f90:5:11: error[OX3019]: `a` is allocated already",
    );
    check(
        "real, pointer :: p, q\nallocate (p)\np = 1\nq => p\ndeallocate (p)\nprint *, q",
        "p.f90:8:10: error[OX3018]: a pointer refers to storage that no longer exists",
    );
}

#[test]
fn arithmetic_without_a_result_is_found() {
    check(
        "integer :: i\ni = 0\nprint *, 1/i",
        "p.f90:5:11: error[OX3014]: an integer is divided by zero",
    );
    check(
        "integer :: i, k\nk = 0\ndo i = 1, 3, k\nend do",
        "p.f90:5:1: error[OX3006]: the step of a loop is zero",
    );
}

#[test]
fn shapes_that_do_not_conform_are_found() {
    check(
        "real :: a(3)\ninteger :: n\na = 1\nn = 2\nprint *, a + a(:n)",
        "p.f90:7:12: error[OX3011]: arrays of shapes (3) and (2) do not conform",
    );
}

#[test]
fn what_never_ends_is_stopped() {
    assert!(message("integer :: i\ndo\ni = 1\nend do").contains("error[OX3009]"));
    assert!(
        message("call s\ncontains\nrecursive subroutine s\ncall s\nend subroutine")
            .contains("error[OX3007]")
    );
    assert!(message("real, allocatable :: a(:)\nallocate (a(10000000))").contains("error[OX3009]"));
}

#[test]
fn a_constant_cannot_be_overwritten_through_an_argument() {
    check(
        "integer, parameter :: a(2) = [1, 2]\ncall s(a)\ncontains\nsubroutine s(x)\ninteger :: x(2)\nx(1) = 5\nend subroutine",
        "p.f90:8:1: error[OX3017]: `x`: a named constant would be overwritten",
    );
}

#[test]
fn what_cannot_be_executed_is_refused_by_name() {
    check("real(16) :: x\nx = 1", "p.f90:3:13: error[OX3002]: cannot execute reals of 16 bytes");
    check(
        "external f\ncall f(1)",
        "p.f90:4:1: error[OX3013]: `f` is called, but its body is not in the document",
    );
}

#[test]
fn a_deep_expression_is_no_stack_overflow() {
    let source = "program p\nreal :: x\nx = 1\nend program\n";
    let mut doc = translate_texts(&[("p.f90", source)], &Options::default()).document;
    let Some(stmt) = doc.stmts.keys().next() else { panic!("no statement") };
    let StmtKind::Assign { lhs, mut rhs, .. } = doc.stmts[stmt].kind else {
        panic!("no assignment")
    };
    for _ in 0..500_000 {
        let operand = Operand { position: 1, keyword: false, expr: rhs };
        let kind = ExprKind::Intrinsic {
            name: "minus_scal".into(),
            spelling: None,
            operands: [operand].into_iter().collect(),
        };
        let inner = &doc.exprs[rhs];
        let outer = Expr { kind, ty: inner.ty, place: inner.place, parens: false };
        rhs = doc.exprs.push(outer);
    }
    doc.stmts[stmt].kind = StmtKind::Assign { lhs, rhs, defined: None };
    let found = run(&doc, &Request::default()).expect_err("it is too deep");
    let first = found.iter().next().map(|d| d.to_string()).unwrap_or_default();
    assert!(first.contains("error[OX3007]"), "{first}");
}

/// What the program with these units prints; `copies_undefined`: copies of undefined variables are no errors.
fn output(source: &str, copies_undefined: bool) -> Result<String, String> {
    let translation = translate_texts(&[("p.f90", source)], &Options::default());
    assert!(!translation.diagnostics.has_errors(), "{:?}", translation.diagnostics);
    let request = Request {
        limits: Limits { steps: 100_000, copies_undefined, ..Limits::default() },
        ..Request::default()
    };
    let told = |found: xaif_schema::diag::Diagnostics| {
        found.iter().map(|d| d.to_string()).collect::<Vec<_>>().join("\n")
    };
    run(&translation.document, &request).map(|outcome| outcome.stdout).map_err(told)
}

#[test]
fn components_of_intent_out_arguments_lose_their_values() {
    let source = |printed: &str| {
        format!(
            "module m\n\
             implicit none\n\
             type :: inner\nreal :: c\nend type\n\
             type :: t\nreal :: a = 2\nreal :: b(2)\ntype(inner) :: i\nend type\n\
             contains\n\
             subroutine s(v)\ntype(t), intent(out) :: v\nend subroutine\n\
             end module\n\
             program p\n\
             use m\n\
             type(t) :: v\n\
             v%a = 1; v%b = 1; v%i%c = 1\n\
             call s(v)\n\
             print *, {printed}\n\
             end program\n"
        )
    };
    assert!(output(&source("v%a"), false).is_ok_and(|text| text.trim_start().starts_with('2')));
    for part in ["v%b(1)", "v%i%c"] {
        let found = output(&source(part), false).expect_err("it has no value");
        assert!(found.contains("OX3004"), "{found}");
    }
}

#[test]
fn copies_of_what_has_no_value_have_none_where_that_is_no_error() {
    let source = |printed: &str| {
        format!(
            "program p\n\
             implicit none\n\
             real :: a(2, 2), b(2, 2), x, y\n\
             real, allocatable :: c(:, :)\n\
             a(1, 1) = 3\n\
             y = 1\n\
             allocate (c, source=a)\n\
             b = c\n\
             y = x\n\
             b(2, 2) = a(1, 2)\n\
             print *, {printed}\n\
             end program\n"
        )
    };
    let found = output(&source("b(1, 1)"), false).expect_err("the source is not defined");
    assert!(found.contains("OX3004"), "{found}");
    assert!(output(&source("b(1, 1)"), true).is_ok_and(|text| text.trim_start().starts_with('3')));
    for part in ["b(2, 1)", "b(2, 2)", "y", "y + 1", "sum(c)"] {
        let found = output(&source(part), true).expect_err("it has no value");
        assert!(found.contains("OX3004"), "{found}");
    }
}
