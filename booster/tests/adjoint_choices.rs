//! What a user may choose of an adjoint beside how calls are made: which procedures have both
//! sweeps, and whether arguments of a call may overlap.

use booster_tests::{document, printed, told};
use xaif_booster::analysis::{activity, tbr::tbr};
use xaif_booster::externals::Externals;
use xaif_booster::transform::adjoint::{Modes, Options, adjoint, prepare::prepare};
use xaif_schema::diag::{Code, Diagnostics};
use xaif_schema::model::Document;

fn adjoints(source: &str, modes: Modes) -> Result<Document, Diagnostics> {
    let mut doc = document(source);
    adjoint(&mut doc, &Options { modes, ..Options::default() })?;
    Ok(doc)
}

/// Behind TBR analysis.
fn adjoints_that_record_what_is_needed(source: &str) -> Document {
    let mut doc = document(source);
    let options = Options::default();
    prepare(&mut doc).expect("a canonical form");
    tbr(&mut doc, &options.externals, &options.catalogue, &options.modes);
    adjoint(&mut doc, &options).expect("an adjoint");
    doc
}

const PARTS: &str = include_str!("adjoint/call_twice_of_unknown_extent.f90");

#[test]
fn parts_of_an_array_of_unknown_extent_are_passed_twice_if_they_are_told_to_be_disjoint() {
    assert!(adjoints(PARTS, Modes::default()).is_err());
    let doc = adjoints(PARTS, Modes { disjoint: true, ..Modes::default() }).expect("an adjoint");
    let text = printed(&doc);
    let call = "call dot_b(n, a(1, 1), ab(1, 1), a(1, 2), ab(1, 2), r, rb)";
    assert!(text.contains(call), "{text}");
}

#[test]
fn the_same_element_is_never_passed_twice() {
    let source = PARTS.replace("a(1, 2)", "a(1, 1)");
    for disjoint in [true, false] {
        let doc = adjoints(&source, Modes { disjoint, ..Modes::default() }).expect("an adjoint");
        let text = printed(&doc);
        let call = "call dot_b_same(n, a(1, 1), ab(1, 1), a(1, 1), r, rb)";
        assert!(text.contains(call), "{text}");
    }
}

#[test]
fn a_procedure_that_is_named_has_both_sweeps_though_nobody_calls_it() {
    let modes = Modes { split: vec!["PARTS".into()], disjoint: true, ..Modes::default() };
    let text = printed(&adjoints(PARTS, modes).expect("an adjoint"));
    for name in ["parts_b", "parts_fwd", "parts_bwd", "dot_b"] {
        assert!(text.contains(&format!("subroutine {name}(")), "{name}: {text}");
    }
    assert!(!text.contains("dot_fwd"), "{text}");
    let all = Modes { all: true, disjoint: true, ..Modes::default() };
    let text = printed(&adjoints(PARTS, all).expect("an adjoint"));
    assert!(text.contains("subroutine dot_fwd(") && !text.contains("parts_fwd"), "{text}");
}

const STATE: &str = "
module m
  implicit none
  integer :: calls = 0
contains
  integer function next()
    calls = calls + 1
    next = calls
  end function next
  subroutine p(x, y)
    real(8), intent(inout) :: x(3), y
    calls = 0
    y = y*x(next())
    x(next()) = sin(y)*x(next())
    y = y*x(1)*x(2)
  end subroutine p
end module m
";

/// A function in a subscript gets a statement of its own, of which the facts tell nothing.
#[test]
fn facts_from_before_the_canonical_form_are_not_used() {
    let options = Options::default();
    let with = |canonical: bool| {
        let mut doc = document(STATE);
        if canonical {
            prepare(&mut doc).expect("a canonical form");
        }
        tbr(&mut doc, &options.externals, &options.catalogue, &options.modes);
        let warnings = adjoint(&mut doc, &options).expect("an adjoint");
        (printed(&doc), told(&warnings))
    };
    let (text, warnings) = with(false);
    assert!(warnings.contains("OX4488") && warnings.contains("test.f90:7:5"), "{warnings}");
    assert_eq!(text, printed(&adjoints(STATE, Modes::default()).expect("an adjoint")));
    let (text, warnings) = with(true);
    assert!(warnings.is_empty() && text.contains("call push(y)"), "{warnings}{text}");
}

const QUERY: &str = "
subroutine work(n, a, b, query)
  implicit none
  integer, intent(in) :: n
  real(8), intent(inout) :: a(n), b(n)
  logical, intent(in) :: query
  if (query) return
  a = a*b
  b = b*a
end subroutine work

subroutine twice(x, y)
  implicit none
  real(8), intent(inout) :: x(3), y(3)
  call work(3, x, x, .true.)
  call work(3, x, y, .false.)
end subroutine twice
";

#[test]
fn what_is_passed_twice_and_may_be_overwritten_has_an_adjoint_of_its_own_if_it_is_told() {
    assert!(adjoints(QUERY, Modes::default()).is_err());
    let doc = adjoints(QUERY, Modes { disjoint: true, ..Modes::default() }).expect("an adjoint");
    let text = printed(&doc);
    assert!(text.contains("call work_b(3, x, xb, x, partb, .true.)"), "{text}");
    assert!(text.contains("xb = xb + partb"), "{text}");
    let mut doc = document(QUERY);
    let options =
        Options { modes: Modes { disjoint: true, ..Modes::default() }, ..Options::default() };
    let warnings = told(&adjoint(&mut doc, &options).expect("an adjoint"));
    assert_eq!(warnings.matches("OX4481").count(), 1, "{warnings}");
}

const LEAVES: &str = "
subroutine model(n, nt, x, cost)
  implicit none
  integer, intent(in) :: n, nt
  real(8), intent(inout) :: x(n)
  real(8), intent(out) :: cost
  integer :: it
  do it = 1, nt
    call step(n, x)
  end do
  call march(n, nt, x)
  call measure(n, x, cost)
end subroutine model

subroutine step(n, x)
  implicit none
  integer, intent(in) :: n
  real(8), intent(inout) :: x(n)
  integer :: i
  do i = 1, n
    x(i) = x(i)*x(i)
  end do
end subroutine step

subroutine march(n, nt, x)
  implicit none
  integer, intent(in) :: n, nt
  real(8), intent(inout) :: x(n)
  integer :: i, it
  do it = 1, nt
    do i = 1, n
      x(i) = x(i)*x(i)
    end do
  end do
end subroutine march

subroutine measure(n, x, cost)
  implicit none
  integer, intent(in) :: n
  real(8), intent(in) :: x(n)
  real(8), intent(out) :: cost
  cost = sum(x*x)
end subroutine measure
";

/// Leaves that overwrite a number: one that sums, one that records in each iteration.
const NUMBERS: &str = "
subroutine model(n, nt, x, cost)
  implicit none
  integer, intent(in) :: n, nt
  real(8), intent(inout) :: x(n)
  real(8), intent(out) :: cost
  real(8) :: q, p
  integer :: it
  cost = 0
  do it = 1, nt
    call flow(n, x, q)
    call product_of(n, x, p)
    cost = cost + q*p
  end do
end subroutine model

subroutine flow(n, x, q)
  implicit none
  integer, intent(in) :: n
  real(8), intent(in) :: x(n)
  real(8), intent(out) :: q
  integer :: i
  q = 0
  do i = 1, n
    q = q + x(i)*x(i)
  end do
  q = tanh(q)
end subroutine flow

subroutine product_of(n, x, p)
  implicit none
  integer, intent(in) :: n
  real(8), intent(in) :: x(n)
  real(8), intent(out) :: p
  integer :: i
  p = 1
  do i = 1, n
    p = p*x(i)
  end do
end subroutine product_of
";

#[test]
fn a_leaf_that_sums_a_number_is_split_without_being_asked() {
    let text =
        printed(&adjoints(NUMBERS, Modes { auto_split: true, ..Modes::default() }).expect("one"));
    assert!(text.contains("call flow_fwd(n, x, q)") && text.contains("call flow_bwd("), "{text}");
    assert!(text.contains("call product_of_b(n, x, xb, p, pb)"), "{text}");
}

#[test]
fn what_records_no_more_than_a_snapshot_is_split_without_being_asked() {
    let text =
        printed(&adjoints(LEAVES, Modes { auto_split: true, ..Modes::default() }).expect("one"));
    assert!(text.contains("call step_fwd(n, x)") && text.contains("call step_bwd("), "{text}");
    // A state for each step; nothing is overwritten that would be in a snapshot.
    for joint in ["call march_b(n, nt, x, xb)", "call measure_b(n, x, xb, cost, costb)"] {
        assert!(text.contains(joint), "{joint}: {text}");
    }
    let joint = Modes { auto_split: true, joint: vec!["STEP".into()], ..Modes::default() };
    let text = printed(&adjoints(LEAVES, joint).expect("one"));
    assert!(text.contains("call step_b(n, x, xb)") && !text.contains("step_fwd"), "{text}");
}

#[test]
fn masked_assignments_that_nobody_reads_are_not_executed_again() {
    let source = "
subroutine p(x, y, k)
  implicit none
  real(8), intent(inout) :: x(4), y
  integer, intent(in) :: k
  real(8) :: limits(4), z
  integer :: i
  z = x(1)*x(2)
  limits = 0.5d0
  if (k > 0) then
    where (limits < 1.2d0)
      limits = 2d0
    elsewhere
      limits = 3d0
    end where
    forall (i = 1:3) limits(i) = limits(i + 1)*0.5d0
    z = z*z
  end if
  if (k > 1) y = y + z
end subroutine p
";
    let text = printed(&adjoints_that_record_what_is_needed(source));
    for word in ["where", "limits(", "limits =", "forall"] {
        let statements = text.lines().filter(|line| !line.contains("::"));
        assert!(!statements.into_iter().any(|line| line.contains(word)), "{word}: {text}");
    }
    assert!(text.contains("if (k > 1) zb = yb"), "on one line, as the original is: {text}");
}

#[test]
fn what_an_adjoint_writes_at_once_is_not_written_by_a_call_before_it() {
    let source =
        include_str!("adjoint/a_call_with_output_goes_where_its_adjoint_follows_at_once.f90");
    let text = printed(&adjoints_that_record_what_is_needed(source));
    let unit = |name: &str| {
        let from = text.find(&format!("subroutine {name}(")).expect("the unit");
        let behind = text[from..].find("end subroutine").expect("its end");
        &text[from..from + behind]
    };
    assert!(!unit("middle_b").contains("call core("), "{text}");
    assert!(!unit("outer_b").contains("call core("), "{text}");
    // In the middle of a forward sweep it stays.
    for call in ["call middle(x, t)", "call middle(x_1, t)"] {
        assert!(unit("outer_b").contains(call), "{call}: {text}");
    }
}

#[test]
fn a_name_that_no_procedure_has_is_told_and_one_for_both_modes_is_refused() {
    let doc = document(PARTS);
    let modes = |split: &[&str], joint: &[&str]| {
        let own = |list: &[&str]| list.iter().map(ToString::to_string).collect();
        Modes { split: own(split), joint: own(joint), ..Modes::default() }
    };
    assert!(modes(&["DOT"], &["parts"]).check(&doc).expect("modes").is_empty());
    let warnings = modes(&["dot"], &["prats"]).check(&doc).expect("modes");
    assert!(told(&warnings).contains("OX4485") && told(&warnings).contains("`prats`"));
    let errors = modes(&["dot"], &["parts", "Dot"]).check(&doc).expect_err("both");
    assert!(told(&errors).contains("OX4486") && told(&errors).contains("`dot`"));
}

#[test]
fn polymorphic_objects_that_pointers_may_point_to_are_not_copied_and_that_is_told() {
    let source = "
module left_target
  implicit none
  type :: shape
    real(8) :: v = 0.5d0
    integer :: calls = 0
  end type shape
  type, extends(shape) :: round
    real(8) :: radius = 2d0
  end type round
  type :: cell
    class(shape), allocatable :: o
  end type cell
  type(cell), save, target :: here
contains
  subroutine p(x, y)
    real(8), intent(in) :: x(2)
    real(8), intent(out) :: y
    if (.not. allocated(here%o)) allocate(round :: here%o)
    here%o%calls = here%o%calls + 1
    here%o%v = x(1)*here%o%calls
    y = here%o%v**2*x(2)
    here%o%v = 0d0
  end subroutine p
end module";
    for (source, told_of) in [(source.to_owned(), 1), (source.replace(", target", ""), 0)] {
        let mut doc = document(&source);
        let options = activity::Options { heads: vec!["p".into()], ..activity::Options::default() };
        activity::activity(&mut doc, &options, &Externals::new()).expect("facts");
        let warnings = adjoint(&mut doc, &Options::default()).expect("an adjoint");
        let of_state: Vec<_> = warnings.iter().filter(|w| w.code == Code::STATE_LEFT).collect();
        assert_eq!(of_state.len(), told_of, "{}", told(&warnings));
        // A copy would give the object other storage.
        assert_eq!(printed(&doc).matches("here = here_left").count(), 1 - told_of);
    }
}

#[test]
fn a_head_that_another_calls_leaves_what_its_caller_needs_and_that_is_told() {
    let source = "
module two
  implicit none
  real(8), save :: t = 0.5d0
contains
  subroutine q(x, y)
    real(8), intent(in) :: x
    real(8), intent(out) :: y
    t = t + x
    y = x*x*t
    t = t*0.5d0
  end subroutine
  subroutine p(x, y)
    real(8), intent(in) :: x
    real(8), intent(out) :: y
    call q(x, y)
    y = y*y
  end subroutine
end module";
    for (heads, expected) in [(vec!["p"], 0), (vec!["p", "q"], 1)] {
        let mut doc = document(source);
        let heads = heads.into_iter().map(str::to_owned).collect();
        let options = activity::Options { heads, ..activity::Options::default() };
        activity::activity(&mut doc, &options, &Externals::new()).expect("facts");
        let warnings = adjoint(&mut doc, &Options::default()).expect("an adjoint");
        let of_state: Vec<_> = warnings.iter().filter(|w| w.code == Code::STATE_LEFT).collect();
        assert_eq!(of_state.len(), 2 * expected, "{}", told(&warnings));
        assert!(of_state.iter().all(|warning| warning.message.contains("`q_b`")));
        assert_eq!(printed(&doc).matches("t = t_left").count(), 1);
    }
}
