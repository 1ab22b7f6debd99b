//! Derivatives and the state of modules: the user's own code allocates and associates module variables, anew and in
//! other shapes, between calls of derivative procedures. Such a program is compiled and executed.

use std::path::Path;
use std::process::Command;

use booster_tests::{document, verified};

use fortran_backend::{Layout, unparse};
use xaif_booster::transform::adjoint;
use xaif_booster::transform::tangent::{Options, tangent};
use xaif_schema::diag::Diagnostics;
use xaif_schema::model::Document;

fn differentiated(source: &str, directions: Option<u32>) -> Result<Document, Diagnostics> {
    let mut doc = document(source);
    tangent(&mut doc, &Options { directions, ..Options::default() })?;
    verified(&doc);
    Ok(doc)
}

/// The adjoint, with the same way to take the source.
fn reversed(source: &str, split: bool) -> Result<Document, Diagnostics> {
    let mut doc = document(source);
    let modes = adjoint::Modes { all: split, ..adjoint::Modes::default() };
    let options = adjoint::Options { modes, ..adjoint::Options::default() };
    adjoint::adjoint(&mut doc, &options)?;
    verified(&doc);
    Ok(doc)
}

/// What a program prints that is made of a module, its tangent and a main program.
fn printed(module: &str, main: &str, directions: Option<u32>) -> (bool, String) {
    let doc = differentiated(module, directions).expect("a tangent");
    printed_with(module, &doc, main)
}

/// What a program prints that is made of a module, a derivative of it, the tape and a main program.
fn printed_with(module: &str, doc: &Document, main: &str) -> (bool, String) {
    let folder = tempfile::tempdir().expect("a folder");
    let runtime = booster_tests::runtime();
    for name in ["oxad_tape_chunks.c", "oxad_tape.f90"] {
        std::fs::copy(runtime.join(name), folder.path().join(name)).expect("a copy");
    }
    let texts = unparse(doc, Layout::OneText).expect("it can be printed");
    let derivative: String = texts.into_iter().map(|(_, text)| text).collect();
    let write = |name: &str, text: &str| {
        std::fs::write(folder.path().join(name), text).expect("a file");
    };
    write("user.f90", module);
    write("user_d.f90", &derivative);
    write("main.f90", main);
    let strict = ["-std=gnu", "-Wall", "-Wextra", "-Werror", "-fcheck=all", "-g"];
    run(folder.path(), "gfortran", &["-c", "oxad_tape.f90"]);
    run(folder.path(), "gcc", &["-c", "oxad_tape_chunks.c", "-o", "oxad_tape_c.o"]);
    run(folder.path(), "gfortran", &[&["-c", "user.f90"][..], &strict[..]].concat());
    run(folder.path(), "gfortran", &[&["-c", "user_d.f90"][..], &strict[..]].concat());
    let objects = ["oxad_tape.o", "oxad_tape_c.o", "user.o", "user_d.o"];
    run(folder.path(), "gfortran", &[&["main.f90", "-o", "program"][..], &objects[..]].concat());
    let output = Command::new(folder.path().join("program")).output().expect("it can be started");
    let said = String::from_utf8_lossy(&output.stdout).into_owned()
        + &String::from_utf8_lossy(&output.stderr);
    (output.status.success(), said)
}

fn run(folder: &Path, program: &str, args: &[&str]) {
    let output = Command::new(program).args(args).current_dir(folder).output().expect("gfortran");
    let message = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.success(), "{message}");
}

const ARRAYS: &str = "module m
  implicit none
  type t
    real(8), allocatable :: r(:)
    real(8) :: w = 0
  end type t
  real(8), allocatable :: a(:), s
  type(t), allocatable :: l(:)
  type(t) :: one
contains
  subroutine resize(n)
    integer, intent(in) :: n
    if (allocated(a)) deallocate(a, s, l, one%r)
    allocate(a(0:n), s, l(n), one%r(2*n))
    a = 0
    s = 2
    allocate(l(n)%r(n))
    l(n)%r = 1
    one%r = 1
  end subroutine resize
  subroutine p(x, y)
    real(8), intent(in) :: x
    real(8), intent(out) :: y
    integer :: n
    n = size(l)
    a(n) = x
    l(n)%r(n) = x*x
    one%r(2*n) = 3*x
    one%w = x
    y = sum(a)*s*sum(l(n)%r)*sum(one%r) + one%w
  end subroutine p
end module m
";

/// d/dx of 2*x*(n - 1 + x**2)*(2*n - 1 + 3*x) + x at x = 2
fn slope(n: f64) -> f64 {
    let x: f64 = 2.0;
    let (a, b) = (n - 1.0 + x * x, 2.0 * n - 1.0 + 3.0 * x);
    2.0 * a * b + 2.0 * x * 2.0 * x * b + 2.0 * x * a * 3.0 + 1.0
}

#[test]
fn derivatives_get_the_shape_that_the_users_code_has_given_their_originals() {
    let main = "program main
  use m
  use m_d
  real(8) :: y, yd
  integer :: i, sizes(4) = [2, 5, 1, 3]
  do i = 1, 4
    call resize(sizes(i))
    call p_d(2d0, 1d0, y, yd)
    print '(f0.6)', yd
  end do
end program main
";
    let (success, said) = printed(ARRAYS, main, None);
    assert!(success, "{said}");
    let expected: Vec<String> =
        [2.0, 5.0, 1.0, 3.0].iter().map(|&n| format!("{:.6}", slope(n))).collect();
    assert_eq!(said.lines().collect::<Vec<_>>(), expected);
}

#[test]
fn derivatives_in_several_directions_get_it_too() {
    let main = "program main
  use m
  use m_d
  real(8) :: y, yd(2)
  integer :: i, sizes(3) = [2, 5, 1]
  do i = 1, 3
    call resize(sizes(i))
    call p_d(2d0, [1d0, 2d0], y, yd)
    print '(f0.6)', yd
  end do
end program main
";
    let (success, said) = printed(ARRAYS, main, Some(2));
    assert!(success, "{said}");
    let both = |n: f64| [slope(n), 2.0 * slope(n)];
    let expected: Vec<String> =
        [2.0, 5.0, 1.0].into_iter().flat_map(both).map(|value| format!("{value:.6}")).collect();
    assert_eq!(said.lines().collect::<Vec<_>>(), expected);
}

const PURE: &str = "module m
  implicit none
  real(8), allocatable :: a(:)
contains
  subroutine resize(n)
    integer, intent(in) :: n
    if (allocated(a)) deallocate(a)
    allocate(a(n))
    a = 1
  end subroutine resize
  pure function f(x) result(y)
    real(8), intent(in) :: x
    real(8) :: y
    y = x*sum(a)
  end function f
  subroutine p(x, y)
    real(8), intent(in) :: x
    real(8), intent(out) :: y
    y = f(x)
  end subroutine p
end module m
";

#[test]
fn who_calls_a_pure_procedure_allocates_for_it() {
    let main = "program main
  use m
  use m_d
  real(8) :: y, yd
  call resize(3)
  call p_d(2d0, 1d0, y, yd)
  print '(f0.6)', yd
end program main
";
    let (success, said) = printed(PURE, main, None);
    assert!(success, "{said}");
    assert_eq!(said.trim(), "3.000000");
}

#[test]
fn a_pure_procedure_that_nothing_calls_is_refused() {
    let (before, _) = PURE.split_once("  subroutine p(").expect("the procedure");
    let alone = format!("{before}end module m\n");
    let messages = differentiated(&alone, None).expect_err("nobody allocates for it");
    let message = messages.iter().next().expect("a message").to_string();
    assert!(message.contains("OX4257") && message.contains("test.f90:11"), "{message}");
    assert!(message.contains("`f` is pure"), "{message}");
}

const POINTERS: &str = "module m
  implicit none
  real(8), target :: b(2)
  real(8), pointer :: q(:) => null()
contains
  subroutine associate
    q => b
  end subroutine associate
  subroutine p(x, y)
    real(8), intent(in) :: x
    real(8), intent(out) :: y
    q(1) = x
    y = b(1)*x
  end subroutine p
  subroutine whole(x, y)
    real(8), intent(in) :: x
    real(8), intent(out) :: y
    q => b
    call p(x, y)
  end subroutine whole
  subroutine by_another(x, y)
    real(8), intent(in) :: x
    real(8), intent(out) :: y
    call associate
    q(1) = 2*x
    y = b(1)*x
  end subroutine by_another
end module m
";

#[test]
fn a_pointer_that_the_users_code_has_associated_with_a_nameless_target_stops_the_program() {
    let main = "program main
  use m
  use m_d
  real(8) :: y, yd
  call associate
  call p_d(2d0, 1d0, y, yd)
  print '(f0.6)', yd
  nullify(qd)
  allocate(q(2))
  call p_d(2d0, 1d0, y, yd)
end program main
";
    let (success, said) = printed(POINTERS, main, None);
    assert!(!success && said.starts_with("4.000000\n"), "{said}");
    assert!(said.contains("the derivative of q is not associated"), "{said}");
}

#[test]
fn a_procedure_that_associates_the_pointer_itself_or_by_another_does_not_stop() {
    let main = "program main
  use m
  use m_d
  real(8) :: y, yd
  call associate
  call whole_d(2d0, 1d0, y, yd)
  print '(f0.6)', yd
  nullify(qd)
  call by_another_d(2d0, 1d0, y, yd)
  print '(f0.6)', yd
end program main
";
    let (success, said) = printed(POINTERS, main, None);
    assert!(success, "{said}");
    assert_eq!(said.lines().collect::<Vec<_>>(), ["4.000000", "8.000000"]);
}

const ENTRIES: &str = "module m
  implicit none
contains
  subroutine p(x, y)
    real(8) :: x, y, t, z
    t = x
    y = t*x
    return
    entry q(x, z)
    if (x > 1) t = 0
    if (x > 2) t = 2*x
    z = z + t*x
  end subroutine p
end module m
";

#[test]
fn an_entry_sets_to_zero_what_another_has_left() {
    let main = "program main
  use m_d
  real(8) :: x, xd, y, yd
  x = 3
  xd = 1
  call p_d(x, xd, y, yd)
  print '(f0.6)', yd
  y = 0
  yd = 5
  call q_d(x, xd, y, yd)
  print '(f0.6)', yd
end program main
";
    let (success, said) = printed(ENTRIES, main, None);
    assert!(success, "{said}");
    assert_eq!(said.lines().collect::<Vec<_>>(), ["6.000000", "17.000000"]);
}

/// Pointers that the user's own code associates, with other targets between calls.
const CHOSEN: &str = "module m
  implicit none
  real(8), target :: a(3), b(0:2), c(3)
  real(8), pointer :: p(:), q(:)
contains
  subroutine choose(k)
    integer, intent(in) :: k
    if (k > 0) then
      p => a
      q(2:) => b
    else
      p => b
      q => a
    end if
  end subroutine choose
  subroutine twice(x, y)
    real(8), intent(in) :: x
    real(8), intent(out) :: y
    a = x
    b = x*x
    c = x
    y = sum(p) + q(ubound(q, 1))
  end subroutine twice
end module m
";

const CHOSEN_MAIN: &str = "program main
  use m
  use m_d
  implicit none
  real(8) :: y, yd
  call choose(1)
  call twice_d(3d0, 1d0, y, yd)
  print '(2f8.3)', y, yd
  call choose(-1)
  call twice_d(3d0, 1d0, y, yd)
  print '(2f8.3)', y, yd
end program main
";

#[test]
fn derivatives_of_pointers_follow_what_the_user_associates() {
    let (ended, said) = printed(CHOSEN, CHOSEN_MAIN, None);
    assert!(ended, "{said}");
    assert_eq!(said, "  18.000   9.000\n  30.000  19.000\n");
}

#[test]
fn adjoints_of_pointers_follow_what_the_user_associates() {
    let main = "program main
  use m
  use m_b
  implicit none
  real(8) :: x, xb, y, yb
  integer :: k
  x = 3
  do k = 1, -1, -2
    call choose(k)
    xb = 0
    yb = 1
    call twice_b(x, xb, y, yb)
    print '(2f8.3)', xb, yb
  end do
end program main
";
    for split in [false, true] {
        let doc = reversed(CHOSEN, split).expect("an adjoint");
        let (ended, said) = printed_with(CHOSEN, &doc, main);
        assert!(ended, "{said}");
        assert_eq!(said, "   9.000   0.000\n  19.000   0.000\n");
    }
}

#[test]
fn adjoints_of_arrays_follow_what_the_user_allocates() {
    let module = "module m
  implicit none
  type t
    real(8), allocatable :: r(:)
  end type t
  real(8), allocatable :: a(:)
  type(t), allocatable :: l(:)
contains
  subroutine resize(n)
    integer, intent(in) :: n
    if (allocated(a)) deallocate(a, l)
    allocate(a(0:n), l(n))
    allocate(l(n)%r(n))
    a = 0
    l(n)%r = 1
  end subroutine resize
  subroutine p(x, y)
    real(8), intent(in) :: x
    real(8), intent(out) :: y
    integer :: n
    n = size(l)
    a(n) = x*x
    l(n)%r(n) = 3*x
    call add(y)
  end subroutine p
  subroutine add(y)
    real(8), intent(out) :: y
    integer :: n
    n = size(l)
    y = sum(a*a) + sum(l(n)%r)
  end subroutine add
end module m
";
    let main = "program main
  use m
  use m_b
  implicit none
  real(8) :: x, xb, y, yb
  integer :: n
  x = 2
  do n = 2, 4
    call resize(n)
    xb = 0
    yb = 1
    call p_b(x, xb, y, yb)
    print '(2f8.3)', xb, yb
  end do
end program main
";
    for split in [false, true] {
        let doc = reversed(module, split).expect("an adjoint");
        let (ended, said) = printed_with(module, &doc, main);
        assert!(ended, "{said}");
        assert_eq!(said, "  35.000   0.000\n".repeat(3));
    }
}
