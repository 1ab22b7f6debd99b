//! Tangents of programs that call procedures whose source is not given: what a specification says is
//! what the tangent does, compiled and run against procedures that are written by hand; what it does
//! not say is refused.

use std::fmt::Write as _;

use xaif_booster::analysis::activity;
use xaif_booster::externals::Externals;
use xaif_booster::transform::tangent::{Options, tangent};
use xaif_schema::diag::Diagnostics;

use booster_tests::{document, printed, program_prints};

fn told(messages: &Diagnostics) -> String {
    let mut text = String::new();
    for message in messages.iter() {
        writeln!(text, "{message}").expect("a string");
        for (spot, note) in &message.notes {
            let spot = spot.as_ref().map(|spot| format!("{spot}: ")).unwrap_or_default();
            writeln!(text, "  note: {spot}{note}").expect("a string");
        }
    }
    text
}

/// The text of the tangent of `p`, or the messages; `analysed`: with facts of activity.
fn differentiated(source: &str, specification: &str, analysed: bool) -> Result<String, String> {
    let mut doc = document(source);
    let externals = Externals::parse("test.toml", specification).expect("a specification");
    if analysed {
        let choice = activity::Options { heads: vec!["p".into()], ..Default::default() };
        activity::activity(&mut doc, &choice, &externals).map_err(|messages| told(&messages))?;
    }
    let options = Options { externals, ..Options::default() };
    tangent(&mut doc, &options).map_err(|messages| told(&messages))?;
    Ok(printed(&doc))
}

/// Differentiates with and without facts of activity and runs both.
fn runs(source: &str, specification: &str, by_hand: &str, expected: &str) {
    for analysed in [true, false] {
        let text = differentiated(source, specification, analysed).expect("a tangent");
        assert_eq!(program_prints(&[source, &text, by_hand]), expected, "{analysed}\n{text}");
    }
}

const SCALED: &str = "
subroutine p(x, y)
  implicit none
  real(8), intent(in) :: x
  real(8), intent(out) :: y
  real(8), external :: cube
  external :: scaled
  real(8) :: t
  t = 3*x
  call scaled(2, x, t)
  y = t*cube(x)
end subroutine p
";

const SCALED_TOLD: &str = "
[procedure.scaled]
pure = true
arguments = [
    { name = 'n', access = 'read' },
    { name = 'x', access = 'read' },
    { name = 'y', access = 'readwrite' },
]
tangent = { name = 'scaled_by_hand', arguments = ['x', 'y'] }
[procedure.cube]
pure = true
arguments = [{ name = 'x', access = 'read' }]
result = { depends = ['x'] }
tangent = { name = 'cube_by_hand', arguments = ['x'] }
";

#[test]
fn the_tangent_that_a_specification_names_is_called() {
    let by_hand = "
subroutine scaled(n, x, y)
  integer :: n
  real(8) :: x, y
  y = n*x*y
end subroutine
subroutine scaled_by_hand(n, x, xd, y, yd)
  integer :: n
  real(8) :: x, xd, y, yd
  yd = n*(xd*y + x*yd)
  y = n*x*y
end subroutine
real(8) function cube(x)
  real(8) :: x
  cube = x**3
end function
subroutine cube_by_hand(x, xd, y, yd)
  real(8) :: x, xd, y, yd
  y = x**3
  yd = 3*x**2*xd
end subroutine
program main
  real(8) :: y, yd
  call p_d(2d0, 1d0, y, yd)
  print '(2f8.1)', y, yd
end program
";
    // y = 6 x**5
    runs(SCALED, SCALED_TOLD, by_hand, "192.0 480.0");
}

#[test]
fn a_result_whose_tangent_nobody_has_told_is_refused() {
    let without = SCALED_TOLD.replace("tangent = { name = 'cube_by_hand', arguments = ['x'] }", "");
    for analysed in [true, false] {
        let messages = differentiated(SCALED, &without, analysed).expect_err("a refusal");
        let message =
            "test.f90:11:9: error[OX4250]: the result of `cube` depends on active arguments";
        assert!(messages.contains(message), "{messages}");
    }
}

#[test]
fn without_a_specification_the_message_tells_how_activity_comes_there() {
    let messages = differentiated(SCALED, "", true).expect_err("a refusal");
    let expected = "\
test.f90:10:3: error[OX4250]: activity passes through `scaled`, which has no derivative
  note: `x` is active:
";
    assert!(messages.starts_with(expected), "{messages}");
    assert!(messages.contains("note: test.f90:"), "{messages}");
    assert_eq!(messages.matches("is active:").count(), 1, "once is enough: {messages}");
}

#[test]
fn what_is_overwritten_and_depends_on_nothing_has_the_derivative_zero() {
    let source = "
subroutine p(x, y)
  implicit none
  real(8), intent(in) :: x
  real(8), intent(out) :: y
  external :: reset, tell
  real(8) :: t
  t = x*x
  y = t
  call tell(1)
  call reset(x, t)
  y = y + x*t
end subroutine p
";
    let specification = "
[procedure.reset]
pure = true
arguments = [{ name = 'x', access = 'read' }, { name = 't', access = 'write', depends = [] }]
[procedure.tell]
pure = true
arguments = [{ name = 'n', access = 'read' }]
";
    let by_hand = "
subroutine reset(x, t)
  real(8) :: x, t
  t = 5
end subroutine
subroutine tell(n)
  integer :: n
end subroutine
program main
  real(8) :: y, yd
  call p_d(3d0, 1d0, y, yd)
  print '(2f8.1)', y, yd
end program
";
    runs(source, specification, by_hand, "24.0 11.0");
    let text = differentiated(source, specification, true).expect("a tangent");
    assert!(text.contains("  call tell(1)\n  call reset(x, t)\n  td = 0.0d0\n"), "{text}");
}

const GLOBALS: &str = "
module m
  implicit none
  real(8) :: g
end module m
subroutine p(x, y)
  implicit none
  real(8), intent(in) :: x
  real(8), intent(out) :: y
  real(8) :: c
  common /block/ c
  external :: stranger
  call keep(x)
  c = 2*x
  call stranger()
  call look(y)
  y = y*c + x
end subroutine p
subroutine keep(x)
  use m, only: g
  implicit none
  real(8), intent(in) :: x
  g = x
end subroutine keep
subroutine look(y)
  use m, only: g
  implicit none
  real(8), intent(out) :: y
  y = g
end subroutine look
";

#[test]
fn globals_that_are_overwritten_have_the_derivative_zero() {
    let by_hand = "
subroutine stranger()
  use m
  common /block/ c
  real(8) :: c
  g = 7
  c = 8
end subroutine
program main
  real(8) :: y, yd
  call p_d(3d0, 1d0, y, yd)
  print '(2f8.1)', y, yd
end program
";
    let specification = "
[procedure.stranger]
globals = [
    { name = 'm::g', access = 'write', depends = [] },
    { name = '/block/', access = 'write', depends = [] },
]
";
    runs(GLOBALS, specification, by_hand, "59.0 1.0");
}

#[test]
fn globals_of_which_nobody_has_told_enough_are_refused() {
    let depends = "
[procedure.stranger]
globals = [{ name = 'm::g', access = 'readwrite' }]
";
    for (specification, analysed, message) in [
        (depends, true, "`stranger` changes `m::g`, which depends on what is active there"),
        (depends, false, "`stranger` changes `m::g`, which depends on what is active there"),
        ("", true, "activity passes through `stranger`, which has no derivative"),
        ("", false, "nobody has told whether `stranger` changes global variables"),
        ("[procedure.stranger]", true, "nobody has told whether `stranger` changes global"),
        ("[procedure.stranger]", false, "nobody has told whether `stranger` changes global"),
    ] {
        let messages = differentiated(GLOBALS, specification, analysed).expect_err("a refusal");
        assert!(messages.starts_with("test.f90:15:3: error[OX4250]: "), "{messages}");
        assert!(messages.contains(message), "{specification}: {messages}");
    }
}

#[test]
fn module_arrays_that_the_user_allocates_have_their_derivatives_allocated() {
    let source = "
module m
  implicit none
  real(8), allocatable :: a(:)
contains
  subroutine init(n)
    integer, intent(in) :: n
    allocate (a(0:n))
    a = 2
  end subroutine init
  subroutine p(x, y)
    real(8), intent(in) :: x
    real(8), intent(out) :: y
    a(0) = x*x
    y = sum(a)
  end subroutine p
end module m
";
    let by_hand = "
program main
  use m
  use m_d
  real(8) :: y, yd
  call init(2)
  call p_d(3d0, 1d0, y, yd)
  print '(2f8.1)', y, yd
  call p_d(5d0, 1d0, y, yd)
  print '(2f8.1)', y, yd
end program
";
    runs(source, "", by_hand, "13.0 6.0 29.0 10.0");
}

const PARTS: &str = "
module store
  implicit none
  type state
    real(8) :: a = 1, rhs = 1, kept = 1
  end type state
  type(state) :: hidden
end module store
subroutine p(x, y)
  use store
  implicit none
  real(8), intent(in) :: x
  real(8), intent(out) :: y
  type(state) :: m
  m%a = x
  m%rhs = x*x
  m%kept = 3*x
  hidden%a = x
  hidden%kept = x
  call solve(m)
  y = m%a*m%rhs + m%kept + hidden%a*hidden%kept
end subroutine p
";

const PARTS_RUN: &str = "
subroutine solve(m)
  use store
  type(state) :: m
  m%rhs = 5
  hidden%a = 2
end subroutine
subroutine solve_d(m, md)
  use store
  type(state) :: m, md
  md%rhs = 2*m%rhs*md%rhs
  m%rhs = m%rhs**2
  hidden%a = 2
end subroutine
program main
  real(8) :: y, yd
  call p_d(3d0, 1d0, y, yd)
  print '(2f8.1)', y, yd
end program
";

#[test]
fn components_that_are_overwritten_have_tangents_of_their_own() {
    let told = |rhs: &str| {
        format!(
            "
[procedure.solve]
arguments = [{{ name = 'm', access = 'read' }}, {{ name = 'm%rhs', {rhs} }}]
globals = [{{ name = 'store::hidden%a', access = 'write', depends = [] }}]
"
        )
    };
    // y = 3*5 + 9 + 2*3, of which only the derivatives of m%a, m%kept and hidden%kept are not zero
    runs(PARTS, &told("access = 'write', depends = []"), PARTS_RUN, "30.0 10.0");
    for (analysed, depends) in [(true, "['m%a']"), (false, "['m%a']"), (true, "['m%rhs']")] {
        let specification = told(&format!("access = 'readwrite', depends = {depends}"));
        let messages = differentiated(PARTS, &specification, analysed).expect_err("a refusal");
        assert!(messages.contains("OX4250") && messages.contains("`rhs` depends"), "{messages}");
    }
    let with_tangent = told("access = 'readwrite', depends = ['m%rhs']")
        + "tangent = { name = 'solve_d', arguments = ['m'] }\n";
    let text = differentiated(PARTS, &with_tangent, true).expect("a tangent");
    assert!(text.contains("call solve_d(m, md)"), "{text}");
}
