//! `oxad check` says what it knows and no more: integers that decide sizes are asked for, chosen values are printed, and
//! where the program itself is at fault, or nothing can be compared, there is no verdict.

use crate::check_state::run;

/// The names that are asked for, in order.
fn asked(text: &str) -> Vec<&str> {
    let lines = text.lines().filter(|line| line.contains("error[OX5013]"));
    lines.filter_map(|line| line.split('`').nth(1)).collect()
}

pub(crate) const SIZES: &str = "\
module sizes_m
  implicit none
  type :: grid
    integer :: n, rounds, kind
    integer :: fixed = 4
    integer, allocatable :: first(:)
  end type
  integer :: wide, flag, unused
  integer :: given = 2
  integer :: members
  common /block/ members
contains
  subroutine fill(m, v)
    integer, intent(in) :: m
    real(8), allocatable, intent(out) :: v(:)
    allocate (v(2*m))
    v = 1
  end subroutine
  subroutine rounds_of(g, v)
    type(grid), intent(in) :: g
    real(8), intent(inout) :: v(:)
    integer :: k, i
    k = 0
    do
      k = k + 1
      if (k > g%rounds) exit
      do i = 1, g%n
        v(i) = v(i)*1.5d0
      end do
    end do
    do i = g%first(1), g%first(2)
      v(1) = v(1) + 1
    end do
    if (g%kind == 1) v = 2*v
  end subroutine
  subroutine p(g, jump, x, y)
    type(grid), intent(in) :: g
    integer, intent(in) :: jump
    real(8), intent(in) :: x
    real(8), intent(out) :: y
    real(8), allocatable :: v(:)
    real(8) :: w(g%fixed, given)
    integer :: k
    call fill(wide + members, v)
    w = x
    v = v*x
    call rounds_of(g, v)
    k = 0
10  k = k + 1
    y = sum(v)*k + sum(w)
    if (k < jump) goto 10
    if (flag == 1) y = y*x
  end subroutine
end module
";

#[test]
fn integers_that_size_arrays_or_bound_loops_are_asked_for() {
    let shapes = ["--head", "p", "--set", "g%first:2"];
    let (status, text) = run("a.f90", SIZES, &shapes);
    assert_eq!(status, Some(1), "{text}");
    let mut found = asked(&text);
    found.sort_unstable();
    assert_eq!(found, ["g%first", "g%n", "g%rounds", "jump", "members", "wide"], "{text}");
    assert!(text.contains("help: give it a value: --set g%n=10"), "{text}");
    // The place where it is needed.
    assert!(text.contains("a.f90:27:7: here"), "{text}");
}

#[test]
fn values_that_the_check_chooses_are_printed() {
    let told = "g%first=[1,2] g%n=2 g%rounds=3 jump=2 members=1 wide=3";
    let told = told.split(' ').flat_map(|told| ["--set", told]);
    let told: Vec<&str> = ["--head", "p"].into_iter().chain(told).collect();
    let (status, text) = run("a.f90", SIZES, &told);
    assert_eq!(status, Some(0), "{text}");
    for name in ["flag", "g%kind"] {
        let line = text.lines().find(|line| line.starts_with(&format!("{name} ")));
        assert!(line.is_some_and(|line| line.contains("default: 1")), "{name}: {text}");
    }
    // What the program gives a value keeps it, and what it does not read is not there.
    assert!(text.lines().any(|line| line.starts_with("given ") && line.contains("as the program")));
    assert!(!text.contains("\nunused") && !text.contains("g%fixed"), "{text}");
    assert!(!text.contains("no complex step") && !text.contains("warning: loops"), "{text}");
}

#[test]
fn loops_of_one_round_are_named() {
    let text = "subroutine p(n, x, y)\n  integer, intent(in) :: n\n  real(8), intent(in) :: x(n)\n  \
                real(8), intent(out) :: y\n  integer :: i\n  y = 0\n  do i = 1, n\n    y = y + x(i)**2\n  \
                end do\nend subroutine\n";
    let (status, found) = run("a.f90", text, &["--set", "n=1", "--mode", "both"]);
    assert_eq!(status, Some(0), "{found}");
    let warned = found.lines().filter(|line| line.starts_with("warning: loops went no more"));
    assert_eq!(warned.filter(|line| line.contains("a.f90:7:3 (1)")).count(), 2, "{found}");
    let (_, found) = run("a.f90", text, &["--set", "n=2"]);
    assert!(!found.contains("warning"), "{found}");
}

#[test]
fn a_shape_that_contradicts_the_declaration_is_refused() {
    let text = "subroutine p(n, x, z, w, y)\n  integer, intent(in) :: n\n  real(8), intent(in) :: x(2), z(n, 3), w(1)\n  \
                real(8), intent(out) :: y\n  y = x(1)*x(2) + z(n, 3) + w(n)\nend subroutine\n";
    let check = |settings: &[&str]| {
        let settings = settings.iter().flat_map(|setting| ["--set", setting]);
        run("a.f90", text, &settings.collect::<Vec<_>>())
    };
    for (setting, declared) in
        [("x:100", "(2)"), ("z:4,4", "(4, 3)"), ("z=[[1,2],[3,4]]", "(4, 3)")]
    {
        let (status, found) = check(&["n=4", "w:4", setting]);
        assert_eq!(status, Some(1), "{found}");
        let message = format!("has the shape {declared} by its declaration");
        assert!(found.contains("OX5012") && found.contains(&message), "{found}");
    }
    // Fortran 66 declares an array of any size with a last extent of 1.
    let (status, found) = check(&["n=4", "w:4", "x:2"]);
    assert_eq!(status, Some(0), "{found}");
}

#[test]
fn a_program_that_leaves_its_arrays_gets_no_verdict() {
    let text = "module m\n  implicit none\n  type :: t\n    real(8) :: a(3)\n  end type\ncontains\n  \
                subroutine p(n, s, y)\n    integer, intent(in) :: n\n    type(t), intent(in) :: s\n    \
                real(8), intent(out) :: y\n    integer :: i\n    y = 0\n    do i = 0, n\n      \
                y = y + s%a(i)**2\n    end do\n  end subroutine\nend module\n";
    for mode in ["tangent", "adjoint"] {
        let (status, found) = run("a.f90", text, &["--set", "n=3", "--mode", mode]);
        assert_eq!(status, Some(1), "{found}");
        let first = found.lines().next().unwrap_or_default();
        assert!(first.starts_with("no verdict: p itself is at fault here: "), "{found}");
        assert!(
            first.contains("a.f90:14:") && first.contains("index 0 is outside of 1:3"),
            "{found}"
        );
        assert!(!found.contains("\ngood: ") && !found.contains("\nWRONG"), "{found}");
    }
}

#[test]
fn the_first_value_that_is_no_finite_number_has_a_place() {
    let text = "subroutine p(x, y)\n  real(8), intent(in) :: x(2)\n  real(8), intent(out) :: y\n  real(8) :: r\n  \
                r = x(1) - x(2)\n  r = sin(r)/r\n  y = r*x(1)\nend subroutine\n";
    for mode in ["tangent", "adjoint"] {
        let (status, found) = run("a.f90", text, &["--set", "x=[1,1]", "--mode", mode]);
        assert_eq!(status, Some(1), "{found}");
        let first = found.lines().next().unwrap_or_default();
        assert!(
            first.starts_with("no verdict: p itself computes no finite number for y"),
            "{found}"
        );
        assert!(
            first.contains("the first one arises at ") && first.contains("a.f90:6:3"),
            "{found}"
        );
    }
}

#[test]
fn differences_that_do_not_converge_are_not_held_against_a_derivative() {
    // The arrays are too large for complex step; no step is small enough for a chaotic map.
    let text = "subroutine p(n, nt, x, y)\n  integer, intent(in) :: n, nt\n  real(8), intent(in) :: x(n)\n  \
                real(8), intent(out) :: y\n  real(8) :: u(n)\n  integer :: k\n  u = x/2\n  do k = 1, nt\n    \
                u = 3.9d0*u*(1 - u)\n  end do\n  y = sum(u)\nend subroutine\n";
    let sizes = ["--set", "n=250000", "--set", "nt=45", "--mode", "adjoint"];
    let (status, found) = run("a.f90", text, &sizes);
    assert_eq!(status, Some(1), "{found}");
    assert!(!found.contains("WRONG") && !found.contains("\ngood"), "{found}");
    let is_good = |line: &str| line.contains("dot product") && line.ends_with("good");
    assert!(found.lines().any(is_good), "{found}");
}

#[test]
fn addresses_of_c_are_null_and_what_is_none_has_no_components() {
    let text = "module m\n  use, intrinsic :: iso_c_binding\n  implicit none\n  type, bind(c) :: t\n    \
                real(c_double) :: a\n    type(c_ptr) :: data\n    type(c_funptr) :: call_back\n  end type\n  \
                type :: book\n    real(8), allocatable :: lines(:)\n  end type\n  type(book), allocatable :: books(:)\n\
                contains\n  subroutine p(s, x, w, y)\n    type(t), intent(in) :: s\n    real(8), intent(in) :: x\n    \
                real(8), intent(in), optional :: w\n    real(8), intent(out) :: y\n    \
                if (.not. allocated(books)) allocate (books(1))\n    books(1)%lines = [x, x*x]\n    \
                y = s%a*sum(books(1)%lines)\n    if (c_associated(s%data)) y = 0\n    if (present(w)) y = y*w\n  \
                end subroutine\nend module\n";
    for more in [&["--set", "w=none"][..], &[]] {
        let settings = ["--head", "p", "--set", "books=none", "--mode", "both"];
        let (status, found) = run("a.f90", text, &[&settings, more].concat());
        assert_eq!(status, Some(0), "{found}");
        assert!(found.contains("default: c_null_ptr"), "{found}");
    }
    let (status, found) =
        run("a.f90", text, &["--head", "p", "--set", "books=none", "--set", "x=none"]);
    assert_eq!(status, Some(1), "{found}");
    assert!(found.contains("`x` is neither OPTIONAL nor ALLOCATABLE nor a POINTER"), "{found}");
}

#[test]
fn heads_with_internal_procedures_have_an_interface() {
    let text = "function p(x, w) result(y)\n  implicit none\n  real(8), intent(in), target :: x(:)\n  \
                real(8), intent(in), optional :: w\n  real(8) :: y(size(x))\n  y = twice(x)\n  \
                if (present(w)) y = y*w\ncontains\n  function twice(v) result(r)\n    real(8), intent(in) :: v(:)\n    \
                real(8) :: r(size(v))\n    r = 2*v*x(1)\n  end function\nend function\n";
    let (status, found) = run("a.f90", text, &["--head", "p", "--set", "x:3", "--mode", "both"]);
    assert_eq!(status, Some(0), "{found}");
    assert_eq!(found.matches("\ngood: ").count(), 2, "{found}");
}

pub(crate) const SHAPES: &str = "\
module shapes
  implicit none
  type, abstract :: shape
    real(8) :: scale
  contains
    procedure(area_of), deferred :: area
  end type
  abstract interface
    real(8) function area_of(self)
      import shape
      class(shape), intent(in) :: self
    end function
  end interface
  type, extends(shape) :: square
    real(8) :: side
  contains
    procedure :: area => area_of_square
  end type
  type, extends(shape) :: oblong
    real(8) :: sides(2)
  contains
    procedure :: area => area_of_oblong
  end type
  type, abstract :: lonely
  end type
contains
  real(8) function area_of_square(self)
    class(square), intent(in) :: self
    area_of_square = self%scale*self%side**2
  end function
  real(8) function area_of_oblong(self)
    class(oblong), intent(in) :: self
    area_of_oblong = self%scale*product(self%sides)
  end function
  subroutine p(s, x, y)
    class(shape), intent(in) :: s
    real(8), intent(in) :: x
    real(8), intent(out) :: y
    y = x*s%area() + x**2
  end subroutine
  subroutine q(s, x, y)
    class(lonely), intent(in) :: s
    real(8), intent(in) :: x
    real(8), intent(out) :: y
    y = x**2
  end subroutine
end module
";

#[test]
fn arguments_of_an_abstract_type_get_each_of_its_extensions() {
    let (status, found) = run("a.f90", SHAPES, &["--head", "p", "--mode", "both"]);
    assert_eq!(status, Some(0), "{found}");
    assert_eq!(found.matches("\ngood: ").count(), 4, "{found}");
    for ty in ["type(square)", "type(oblong)"] {
        assert_eq!(found.matches(ty).count(), 2, "{found}");
    }
    assert!(!found.contains("no complex step"), "{found}");
    let (_, found) = run("a.f90", SHAPES, &["--head", "p", "--set", "s=oblong"]);
    assert_eq!((found.matches("\ngood: ").count(), found.matches("type(square)").count()), (1, 0));
    let (status, found) = run("a.f90", SHAPES, &["--head", "p", "--set", "s=round"]);
    assert_eq!(status, Some(1), "{found}");
    assert!(found.contains("name one of square, oblong: --set s=square"), "{found}");
    let (status, found) = run("a.f90", SHAPES, &["--head", "q"]);
    assert_eq!(status, Some(1), "{found}");
    assert!(
        found.contains("OX5014") && found.contains("no type that extends it is given"),
        "{found}"
    );
}
