//! `oxad check` chooses extents that declarations leave open, prints them, and compares at two sizes; it asks for shapes
//! where its own do not suit the program.

use crate::check_state::run;

const PROGRAM: &str = "\
module sizes_m
  implicit none
  type :: cell
    real(8), allocatable :: v(:)
    real(8) :: w
  end type
contains
  subroutine steps(x, a, y)
    real(8), intent(in) :: x(:), a(:,:)
    real(8), intent(out) :: y(:)
    real(8) :: w(size(x))
    integer :: i
    w = x
    do i = 2, size(x)
      w(i) = w(i)*0.5d0 + sin(w(i-1))
    end do
    y = matmul(a, w)
  end subroutine
  subroutine cells(c, y)
    type(cell), intent(inout) :: c(:)
    real(8), intent(out) :: y
    integer :: i
    y = 0
    do i = 1, size(c)
      c(i)%v = c(i)%v**2
      y = y + sum(c(i)%v)*c(i)%w
    end do
  end subroutine
  subroutine sized(lead, x, y)
    real(8), intent(in) :: lead(3, *), x(*)
    real(8), allocatable, intent(inout) :: y(:)
    y(1:4) = x(1:4)*lead(2, 1:4)**2
  end subroutine
  subroutine between(r, x)
    real(8), intent(in) :: x(:)
    real(8), intent(out) :: r(size(x)-1)
    r = x(2:)*x(:size(x)-1)
  end subroutine
  subroutine mixed(n, x, y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y(:)
    y = x**2
  end subroutine
  subroutine mixed2(n, m, x, z, y)
    integer, intent(in) :: n, m
    real(8), intent(in) :: x(n), z(m)
    real(8), intent(out) :: y(:)
    y(1) = sum(x**2) + sum(z)
  end subroutine
  subroutine outside(x, y)
    real(8), intent(in) :: x(:)
    real(8), intent(out) :: y
    y = x(12)**2 + x(1)
  end subroutine
  subroutine short(x, y)
    real(8), intent(in) :: x(:)
    real(8), intent(out) :: y
    integer :: i
    y = 0
    do i = 1, size(x)/10
      y = y + x(i)**2
    end do
  end subroutine
  subroutine once(x, y)
    real(8), intent(in) :: x(:)
    real(8), intent(out) :: y
    integer :: i
    y = 0
    do i = 1, 1
      y = y + sum(x)*x(i)**2
    end do
  end subroutine
  subroutine stops(x, y)
    real(8), intent(in) :: x(:)
    real(8), intent(out) :: y
    if (mod(size(x), 4) /= 0) error stop 'a multiple of four'
    y = sum(x**2)
  end subroutine
  subroutine fixed(x, y)
    real(8), intent(in) :: x(:)
    real(8), intent(out) :: y
    real(8) :: w(100)
    integer :: i
    do i = 1, size(x)
      w(i) = x(i)**2
    end do
    y = sum(w(:size(x)))
  end subroutine
  subroutine grows(x, y)
    real(8), intent(in) :: x(:)
    real(8), intent(out) :: y
    y = product(3*x)
  end subroutine
  subroutine slow(x, y)
    real(8), intent(in) :: x(:)
    real(8), intent(out) :: y
    integer :: i, j
    y = 0
    do i = 1, size(x)
      do j = 1, size(x)
        y = y + sin(x(i)*x(j))*cos(x(i) + x(j))
      end do
    end do
  end subroutine
end module
";

fn check(head: &str, more: &[&str]) -> (Option<i32>, String) {
    run("a.f90", PROGRAM, &[&["--head", head], more].concat())
}

#[test]
fn open_extents_are_chosen_and_compared_at_two_sizes() {
    for (head, extents, arrays) in [
        ("steps", "10 and 251", ["x(10), a(10, 10), y(10)", "x(251), a(251, 251), y(251)"]),
        ("cells", "10 and 251", ["c(10), c%v(10)", "c(251), c%v(251)"]),
        ("between", "10 and 20011", ["x(10)", "x(20011)"]),
        (
            "sized",
            "10 and 20011",
            ["lead(3, 10), x(10), y(10)", "lead(3, 20011), x(20011), y(20011)"],
        ),
    ] {
        let (status, text) = check(head, &["--mode", "both"]);
        assert_eq!(status, Some(0), "{head}: {text}");
        let [first, second] = arrays;
        assert_eq!(text.matches(&format!("the extent 10: {first}\n")).count(), 2, "{text}");
        assert_eq!(text.matches(&format!("\nagain with {second}\n")).count(), 2, "{text}");
        assert!(!text.contains("no complex step"), "{text}");
        let verdict = format!("here with the extents {extents} (seed 1)\n");
        assert_eq!(text.matches(&verdict).count(), 2, "{head}: {text}");
    }
    let (status, text) = check("cells", &["--directions", "2"]);
    assert_eq!((status, text.matches("\ndirection 2\n").count()), (Some(0), 2), "{text}");
}

#[test]
fn shapes_that_are_set_mean_one_size() {
    for (head, settings) in [
        ("steps", &["--set", "x:7", "--set", "a:7,7", "--set", "y:7"][..]),
        ("stops", &["--set", "x:8"]),
        ("steps", &["--set", "x:7"]),
        ("mixed", &["--set", "n=7"]),
    ] {
        let (status, text) = check(head, settings);
        assert_eq!(status, Some(0), "{text}");
        assert!(!text.contains("\nagain with") && !text.contains("no second size"), "{text}");
    }
    // Where settings tell several extents, which one is meant is not clear.
    let (status, text) = check("mixed2", &["--set", "n=5", "--set", "m=6"]);
    assert_eq!(status, Some(1), "{text}");
    assert!(text.contains("the shape of `y` is not told"), "{text}");
    assert!(!text.contains("of `x` is not told"), "{text}");
}

#[test]
fn a_first_size_that_does_not_suit_makes_the_check_ask() {
    for (head, reason) in [
        ("outside", "index 12 is outside of 1:10"),
        ("short", "the number of rounds of this loop is 1"),
        ("stops", "a multiple of four"),
    ] {
        for mode in ["tangent", "adjoint"] {
            let (status, text) = check(head, &["--mode", mode]);
            assert_eq!(status, Some(1), "{text}");
            assert!(text.contains("error[OX5013]: the shape of `x` is not told"), "{text}");
            let tried = text.lines().find(|line| line.contains("has tried an extent of 10: "));
            assert!(tried.is_some_and(|line| line.contains(reason)), "{text}");
            assert!(text.contains("help: give it: --set x:10"), "{text}");
        }
    }
    // What is missing beside shapes is asked for together with them.
    let (_, text) = check("mixed", &[]);
    assert_eq!(text.matches("error[OX5013]").count(), 2, "{text}");
    // No extent makes this loop longer.
    let (status, text) = check("once", &["--mode", "adjoint"]);
    assert_eq!(status, Some(0), "{text}");
    assert!(text.contains("warning: loops went no more than one round here"), "{text}");
}

#[test]
fn a_second_size_that_does_not_suit_is_left_out_with_a_line() {
    for (head, reason) in [
        ("fixed", "the program is at fault: "),
        ("grows", "the program computes no finite numbers"),
        ("slow", "an evaluation of the program takes more than 0.5 s"),
    ] {
        let (status, text) = check(head, &["--mode", "adjoint"]);
        assert_eq!(status, Some(0), "{text}");
        assert!(text.contains(&format!("\nno second size: with x(20011) {reason}")), "{text}");
        assert!(text.contains("here with the extent 10 (seed 1)"), "{text}");
    }
}

#[test]
fn a_derivative_that_is_wrong_at_the_second_size_alone_is_found() {
    let text = "subroutine p(x, y)\n  real(8), intent(in) :: x(:)\n  real(8), intent(out) :: y\n  y = sum(x**2)\n\
                end subroutine\n";
    let derivative = |tangent: &str, adjoint: &str| {
        format!(
            "subroutine p_d(x, xd, y, yd)\n  real(8), intent(in) :: x(:), xd(:)\n  real(8), intent(out) :: y, yd\n  \
             y = sum(x**2)\n  {tangent}\nend subroutine\nsubroutine p_b(x, xb, y, yb)\n  real(8), intent(in) :: x(:)\n  \
             real(8), intent(inout) :: xb(:), yb\n  real(8), intent(in) :: y\n  {adjoint}\n  yb = 0\nend subroutine\n"
        )
    };
    let right = ("yd = sum(2*x*xd)", "xb = xb + 2*x*yb");
    let folder = tempfile::tempdir().expect("a folder");
    for (tangent, adjoint, wrong) in [
        (right.0, right.1, None),
        (right.0, "xb = xb + 2*x*yb; if (size(x) > 999) xb(1000) = 0", Some("WRONG")),
        (right.0, "if (size(x) > 999) error stop 'tape'; xb = xb + 2*x*yb", Some("tape")),
        ("yd = sum(2*x*xd); if (size(x) > 999) yd = yd + 1", right.1, Some("WRONG")),
    ] {
        let path = folder.path().join("d.f90");
        std::fs::write(&path, derivative(tangent, adjoint)).expect("written");
        let path = path.to_str().expect("UTF-8");
        let (status, found) = run("a.f90", text, &["--derivative", path, "--mode", "both"]);
        match wrong {
            None => assert_eq!(status, Some(0), "{found}"),
            Some(said) => {
                assert_eq!(status, Some(1), "{found}");
                assert!(found.contains("\nWRONG: ") && found.contains(said), "{found}");
                assert!(found.contains("with the extents 10 and 20011"), "{found}");
            }
        }
    }
}
