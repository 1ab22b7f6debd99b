//! Adjoints of programs that call procedures whose source is not given: what a specification says is
//! what the adjoint does, compiled and run against procedures that are written by hand; what it does
//! not say is refused. Further, what cannot be recorded where facts say that it must be.

use fortran_backend::{Layout, unparse};
use xaif_booster::analysis::{activity, tbr};
use xaif_booster::externals::Externals;
use xaif_booster::rules::Catalogue;
use xaif_booster::transform::adjoint::{Modes, Options, adjoint, prepare::prepare};

use booster_tests::{document, printed, program_prints, told};

/// The text of the adjoint of `p`, or the messages; `analysed`: with facts of activity.
fn differentiated(
    source: &str,
    specification: &str,
    analysed: bool,
    split: bool,
) -> Result<String, String> {
    let mut doc = document(source);
    let externals = Externals::parse("test.toml", specification).expect("a specification");
    if analysed {
        let choice = activity::Options { heads: vec!["p".into()], ..Default::default() };
        activity::activity(&mut doc, &choice, &externals).map_err(|messages| told(&messages))?;
    }
    let modes = Modes { all: split, ..Modes::default() };
    let options = Options { externals, modes, ..Options::default() };
    adjoint(&mut doc, &options).map_err(|messages| told(&messages))?;
    Ok(printed(&doc))
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
adjoint = { name = 'scaled_by_hand', arguments = ['x', 'y'] }
[procedure.cube]
pure = true
arguments = [{ name = 'x', access = 'read' }]
result = { depends = ['x'] }
adjoint = { name = 'cube_by_hand', arguments = ['x'] }
";

#[test]
fn the_adjoint_that_a_specification_names_is_called_with_the_values_before_the_call() {
    let by_hand = "
subroutine scaled(n, x, y)
  integer :: n
  real(8) :: x, y
  y = n*x*y
end subroutine
subroutine scaled_by_hand(n, x, xb, y, yb)
  integer :: n
  real(8) :: x, xb, y, yb
  xb = xb + n*y*yb
  yb = n*x*yb
end subroutine
real(8) function cube(x)
  real(8) :: x
  cube = x**3
end function
subroutine cube_by_hand(x, xb, c, cb)
  real(8) :: x, xb, c, cb
  xb = xb + 3*x**2*cb
  cb = 0
end subroutine
program main
  real(8) :: x, xb, y, yb
  x = 2; xb = 1; y = 0; yb = 1
  call p_b(x, xb, y, yb)
  print '(2f8.2)', xb, yb
end program
";
    for analysed in [true, false] {
        for split in [true, false] {
            let text = differentiated(SCALED, SCALED_TOLD, analysed, split).expect("an adjoint");
            let found = program_prints(&[SCALED, &text, by_hand]);
            // 1 + 30*x**4
            assert_eq!(found, "481.00 0.00", "{analysed} {split}\n{text}");
        }
    }
}

#[test]
fn without_a_specification_it_is_refused_where_activity_passes() {
    for analysed in [true, false] {
        let messages = differentiated(SCALED, "", analysed, false).expect_err("messages");
        assert!(messages.contains("scaled") || messages.contains("cube"), "{messages}");
    }
}

#[test]
fn an_output_that_depends_on_nothing_active_gets_a_zero_adjoint() {
    let source = "
subroutine p(x, y)
  implicit none
  real(8), intent(in) :: x
  real(8), intent(inout) :: y
  external :: table
  y = y*x
  call table(1, y)
  y = y*x
end subroutine p
";
    let specification = "
[procedure.table]
pure = true
arguments = [{ name = 'n', access = 'read' }, { name = 'y', access = 'write' }]
";
    let text = differentiated(source, specification, false, false).expect("an adjoint");
    let backward = text.split("call table").nth(1).expect("a backward sweep");
    assert!(backward.contains("yb = 0.0d0"), "{text}");
}

const COUNTED: &str = "
subroutine p(x, y)
  implicit none
  real(8), intent(in) :: x
  real(8), intent(out) :: y
  y = x
  call scale(y)
  call bump()
  call scale(y)
end subroutine p
subroutine scale(y)
  implicit none
  real(8), intent(inout) :: y
  integer :: k
  common /count/ k
  y = y*y*k
end subroutine scale
";

const BUMP: &str = "
subroutine bump()
  implicit none
  integer :: k
  common /count/ k
  k = k + 1
end subroutine bump
";

#[test]
fn what_only_the_callee_can_name_it_records() {
    // With facts of activity the call of `bump` is passive; `k` is needed by the adjoint before it.
    let main = "
program main
  implicit none
  real(8) :: xb, y, yb
  integer :: k
  common /count/ k
  k = 2
  xb = 1
  yb = 1
  call p_b(1.5d0, xb, y, yb)
  print '(2f8.2)', xb, yb
end program
";
    let source = [COUNTED, BUMP].concat();
    for analysed in [true, false] {
        let text = differentiated(&source, "", analysed, false).expect("an adjoint");
        // 1 + 48*x**3
        assert_eq!(program_prints(&[&source, &text, main]), "163.00 0.00", "{analysed}\n{text}");
    }
}

#[test]
fn what_is_needed_and_has_no_name_is_refused() {
    let told = "
[procedure.bump]
arguments = []
globals = [{ name = '/count/', access = 'readwrite' }]
";
    let messages = differentiated(COUNTED, told, true, false).expect_err("messages");
    assert!(messages.contains("OX4483"), "{messages}");
}

const RESCALED: &str = include_str!("adjoint/call_passive_copy.f90");

#[test]
fn a_passive_call_that_only_the_callee_can_undo_executes_a_copy_without_derivatives() {
    let source = RESCALED.replace("subroutine top", "subroutine p");
    let main = "
program main
  implicit none
  real(8) :: x(3), xb(3), y(3), yb(3)
  x = [0.5d0, 1.5d0, 2.0d0]
  xb = 0
  yb = [1.0d0, 2.0d0, -0.5d0]
  call p_b(3, x, xb, y, yb)
  print '(3es22.12)', xb
end program
";
    let results = [true, false].map(|analysed| {
        let text = differentiated(&source, "", analysed, false).expect("an adjoint");
        // The copy knows nothing of adjoints; the caller has none for `e` and `largest`.
        assert_eq!(
            text.contains("call rescale_passive_bwd(n, largest, 4.0d0, e)"),
            analysed,
            "{text}"
        );
        program_prints(&[&source, &text, main])
    });
    assert_eq!(results[0], results[1]);
}

#[test]
fn what_the_adjoint_adds_to_a_document_with_facts_is_recorded() {
    // The subscript of the associate name becomes a variable after TBR analysis.
    let source = "
subroutine p(m)
  implicit none
  real(8), intent(inout) :: m(3)
  integer :: i
  do i = 1, 3
    associate (part => m(i:3))
      part(1) = 0.9d0
    end associate
  end do
end subroutine p
";
    let main = "
program main
  implicit none
  real(8) :: m(3), mb(3)
  m = 1
  mb = 1
  call p_b(m, mb)
  print '(3f8.2)', mb
end program
";
    let options = fortran_frontend::source::Options::default();
    let mut doc = fortran_frontend::translate_texts(&[("test.f90", source)], &options).document;
    let (externals, catalogue) = (Externals::new(), Catalogue::standard());
    tbr::tbr(&mut doc, &externals, &catalogue, &Modes::default());
    adjoint(&mut doc, &Options::default()).expect("an adjoint");
    let texts = unparse(&doc, Layout::OneText).expect("it can be printed");
    let text: String = texts.into_iter().map(|(_, text)| text).collect();
    assert_eq!(program_prints(&[source, &text, main]), "0.00 0.00 0.00", "{text}");
}

#[test]
fn what_an_arm_of_select_type_adds_to_the_adjoint_of_an_argument_is_not_dead() {
    let source = include_str!("tangent/the_dynamic_type_is_followed.f90");
    let main = "
program main
  use dynamic_b
  implicit none
  real(8) :: x(2), xb(2), y(2), yb(2)
  x = [0.5d0, 1.5d0]
  xb = 0
  yb = 1
  call p_b(x, xb, y, yb)
  print '(2f8.2)', xb
end program
";
    for analysed in [false, true] {
        let text = differentiated(source, "", analysed, false).expect("an adjoint");
        // 2*x(1) + x(2)**2 and 2*x(2) + 2*x(1)*x(2)
        assert_eq!(program_prints(&[source, &text, main]), "3.25 4.50", "{text}");
    }
}

/// `p` calls `finish` on a path by another procedure, and a hidden variable may be changed by what is not known.
fn with_an_end(finish: &str) -> String {
    format!(
        "
module hidden
  implicit none
  private
  real(8), save, target :: work(3)
  public :: clear
contains
  subroutine clear
    work = 0
  end subroutine clear
end module hidden
module store
  implicit none
  real(8), pointer :: a(:), b(:)
end module store
subroutine p(n)
  use store
  implicit none
  integer, intent(in) :: n
  integer :: i
  do i = 1, n
    a(i) = a(i)*b(i)
  end do
  if (n < 0) call fail(n)
end subroutine p
subroutine fail(n)
  implicit none
  integer, intent(in) :: n
  print *, n
  call {finish}(n)
end subroutine fail
"
    )
}

/// The adjoint with all facts.
fn with_facts(
    source: &str,
    specification: &str,
    [independent, dependent]: [&str; 2],
) -> Result<String, String> {
    let mut doc = document(source);
    let externals = Externals::parse("test.toml", specification).expect("a specification");
    let choice = activity::Options {
        heads: vec!["p".into()],
        independent: vec![independent.into()],
        dependent: vec![dependent.into()],
        tests: false,
    };
    activity::activity(&mut doc, &choice, &externals).map_err(|messages| told(&messages))?;
    prepare(&mut doc).map_err(|messages| told(&messages))?;
    tbr::tbr(&mut doc, &externals, &Catalogue::standard(), &Modes::default());
    let options = Options { externals, ..Options::default() };
    adjoint(&mut doc, &options).map_err(|messages| told(&messages))?;
    Ok(printed(&doc))
}

const ENDS: [&str; 2] = ["store%b", "store%a"];

#[test]
fn what_ends_the_program_needs_no_snapshot() {
    for known in ["mpi_abort", "exit"] {
        let text = with_facts(&with_an_end(known), "", ENDS).expect("an adjoint");
        assert!(text.contains("call fail(n)"), "{text}");
    }
    let refused = with_facts(&with_an_end("finish"), "", ENDS).expect_err("refused");
    assert!(refused.contains("OX4483"), "{refused}");
    let told = "[procedure.finish]\nreturns = false\narguments = [{ name = 'n', access = 'read' }]";
    let text = with_facts(&with_an_end("finish"), told, ENDS).expect("an adjoint");
    assert!(text.contains("call fail(n)"), "{text}");
}

/// A library's structure has pointers; the solver overwrites one component of what it is given, and one of a variable.
const SOLVER: &str = "
module store
  implicit none
  type plan
    integer, pointer :: map(:) => null()
  end type plan
  type matrix
    type(plan) :: s
    real(8), allocatable :: a(:), rhs(:), table(:)
  end type matrix
  type(matrix) :: state
end module store
subroutine p(m, x, y)
  use store
  implicit none
  type(matrix), intent(inout) :: m
  real(8), intent(in) :: x
  real(8), intent(out) :: y
  m%a = [x, 2*x]
  m%rhs = [x*x, x]
  m%table = [1d0, 2d0]
  state%rhs = [x, 3*x]
  state%table = [5d0, x]
  call solve(m)
  call solve(m)
  y = sum(m%rhs*m%table) + sum(state%rhs)*state%table(2)
end subroutine p
";

/// What the solver does, and its adjoint.
const SOLVE: &str = "
subroutine solve(m)
  use store
  implicit none
  type(matrix), intent(inout) :: m
  m%rhs = m%rhs**2*m%a
  state%rhs = state%rhs*m%rhs
end subroutine solve
subroutine solve_b(m, mb)
  use store
  use store_b
  implicit none
  type(matrix), intent(in) :: m
  type(matrix), intent(inout) :: mb
  mb%rhs = mb%rhs + state%rhs*stateb%rhs
  stateb%rhs = m%rhs**2*m%a*stateb%rhs
  mb%a = mb%a + m%rhs**2*mb%rhs
  mb%rhs = 2*m%rhs*m%a*mb%rhs
end subroutine solve_b
";

const SOLVER_TOLD: &str = "
[procedure.solve]
arguments = [
    { name = 'm', access = 'read' },
    { name = 'm%rhs', access = 'readwrite', depends = ['m%a', 'm%rhs'] },
]
globals = [{ name = 'store::state%rhs', access = 'readwrite', depends = ['m%a', 'm%rhs', 'store::state%rhs'] }]
adjoint = { name = 'solve_b', arguments = ['m'] }
";

#[test]
fn a_specification_names_components_of_arguments_and_variables() {
    let text = with_facts(SOLVER, SOLVER_TOLD, ["x", "y"]).expect("an adjoint");
    for recorded in ["m%rhs", "state%rhs"] {
        assert!(text.contains(&format!("call push_array({recorded})")), "{recorded}: {text}");
    }
    assert!(!text.contains("push_array(m%table)") && !text.contains("%map"), "{text}");
    assert!(!text.contains("push_array(m%a)"), "{text}");
    let told_otherwise = |from: &str, to: &str| SOLVER_TOLD.replace(from, to);
    for (specification, code) in [
        (told_otherwise("    { name = 'm', access = 'read' },\n", ""), "OX4111"),
        (told_otherwise("depends = ['m%a', 'm%rhs'] }", "depends = ['n%a'] }"), "OX4111"),
        (told_otherwise("arguments = ['m'] }", "arguments = ['m%rhs'] }"), "OX4111"),
        (told_otherwise("'m', access = 'read'", "'m', access = 'none'"), "OX4112"),
    ] {
        let told = told(&Externals::parse("test.toml", &specification).expect_err("refused"));
        assert!(told.contains(code), "{code}: {told}");
    }
    // Of a component that the type does not have nothing is known: all of the structure is overwritten.
    let other = SOLVER_TOLD.replace("'m%rhs', access", "'m%right', access");
    let other = other.replace("'m%a', 'm%rhs'", "'m%a', 'm%right'");
    let text = with_facts(SOLVER, &other, ["x", "y"]).expect("an adjoint");
    assert!(text.contains("push_array(m%table)"), "{text}");
}

#[test]
fn adjoints_by_components_are_right() {
    let text = with_facts(SOLVER, SOLVER_TOLD, ["x", "y"]).expect("an adjoint");
    let main = "
program main
  use store
  use store_b
  implicit none
  type(matrix) :: m, mb
  real(8) :: x, xb, y, yb, values(2), h
  integer :: k
  x = 0.7d0
  h = 1d-6
  do k = 1, 2
    call p(m, x + h*(2*k - 3), y)
    values(k) = y
  end do
  xb = 0
  yb = 1
  mb%a = [0d0, 0d0]
  mb%rhs = mb%a
  mb%table = mb%a
  call p_b(m, mb, x, xb, y, yb)
  print '(l2)', abs(xb - (values(2) - values(1))/(2*h)) < 1d-7*abs(xb)
end program
";
    let module = SOLVER.split("subroutine p(").next().expect("the module");
    let body = &SOLVER[module.len()..];
    let made = text.find("subroutine p_b").expect("the adjoint");
    let sources = [module, &text[..made], SOLVE, body, &text[made..], main];
    assert_eq!(program_prints(&sources), "T", "{text}");
}
