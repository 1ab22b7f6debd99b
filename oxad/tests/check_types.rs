//! `oxad check` and objects that the head allocates: of CLASS, whose type the call decides, and with allocatable
//! components.

use crate::check_state::run;

const PROGRAM: &str = "\
module bodies
  implicit none
  type, abstract :: body
    real(8) :: density
  contains
    procedure(volume_of), deferred :: volume
  end type
  abstract interface
    real(8) function volume_of(self)
      import body
      class(body), intent(in) :: self
    end function
  end interface
  type, extends(body) :: ball
    real(8) :: r
  contains
    procedure :: volume => volume_of_ball
  end type
  type, extends(body) :: brick
    real(8) :: sides(3)
  contains
    procedure :: volume => volume_of_brick
  end type
  type, extends(body) :: heap
    real(8), allocatable :: parts(:)
  contains
    procedure :: volume => volume_of_heap
  end type
  type, abstract :: lonely
  end type
  type :: list
    real(8), allocatable :: values(:)
    real(8) :: last
  end type
contains
  real(8) function volume_of_ball(self)
    class(ball), intent(in) :: self
    volume_of_ball = self%density*4*self%r**3
  end function
  real(8) function volume_of_brick(self)
    class(brick), intent(in) :: self
    volume_of_brick = self%density*product(self%sides)
  end function
  real(8) function volume_of_heap(self)
    class(heap), intent(in) :: self
    volume_of_heap = self%density*sum(self%parts**2)
  end function
  subroutine make(kind, x, b)
    integer, intent(in) :: kind
    real(8), intent(in) :: x
    class(body), allocatable, intent(out) :: b
    select case (kind)
    case (1)
      b = ball(x, 2*x)
    case (2)
      b = brick(x, [x**2, 3*x, x])
    case default
      b = heap(x, [x**2, x, sin(x)])
    end select
  end subroutine
  function made(x) result(b)
    real(8), intent(in) :: x
    class(body), allocatable :: b
    b = brick(x**2, [x, 2d0, 3*x])
  end function
  subroutine row(x, b)
    real(8), intent(in) :: x
    class(body), allocatable, intent(out) :: b(:)
    integer :: i
    allocate (ball :: b(3))
    do i = 1, 3
      b(i)%density = i*x**2
    end do
    select type (b)
    type is (ball)
      b%r = [x, x**3, 2*x]
    end select
  end subroutine
  subroutine heavier(x, b, y)
    real(8), intent(in) :: x
    class(body), allocatable, intent(inout) :: b
    real(8), intent(out) :: y
    y = b%volume()*x
    b%density = b%density*y
  end subroutine
  subroutine replaced(x, b)
    real(8), intent(in) :: x
    class(body), allocatable, intent(inout) :: b
    real(8) :: v
    v = b%volume()
    deallocate (b)
    b = ball(v*x, v)
  end subroutine
  subroutine looked_at(x, b, p, y)
    real(8), intent(in) :: x
    class(body), allocatable, intent(in) :: b
    class(body), pointer, intent(in) :: p
    real(8), intent(out) :: y
    y = b%volume()*x + p%volume()
  end subroutine
  subroutine total(b, y)
    class(body), allocatable, intent(in) :: b(:)
    real(8), intent(out) :: y
    integer :: i
    y = 0
    do i = 1, size(b)
      y = y + b(i)%volume()
    end do
  end subroutine
  subroutine alone(x, b, y)
    real(8), intent(in) :: x
    class(lonely), allocatable, intent(inout) :: b
    real(8), intent(out) :: y
    y = x**2
  end subroutine
  subroutine listed(x, l)
    real(8), intent(in) :: x
    type(list), intent(out) :: l
    l%values = [x, x**2]
    l%last = sin(x)
  end subroutine
  subroutine list_made(x, l)
    real(8), intent(in) :: x
    type(list), allocatable, intent(out) :: l
    allocate (l)
    l%values = [x, x**2]
    l%last = l%values(2)*x
  end subroutine
  subroutine longer(x, l)
    real(8), intent(in) :: x
    type(list), intent(inout) :: l
    l%values = [l%values*x, x]
    l%last = l%last*x
  end subroutine
end module
";

#[track_caller]
fn good(head: &str, more: &[&str], reports: usize) -> String {
    let (status, text) =
        run("a.f90", PROGRAM, &[&["--head", head, "--mode", "both"], more].concat());
    assert_eq!(status, Some(0), "{head}: {text}");
    assert_eq!(text.matches("\ngood: ").count(), reports, "{head}: {text}");
    assert!(!text.contains("no complex step"), "{head}: {text}");
    text
}

#[test]
fn objects_of_class_that_the_head_allocates_are_compared_as_what_they_are() {
    for kind in ["kind=1", "kind=2", "kind=3"] {
        let text = good("make", &["--set", kind], 2);
        let compared = text.lines().filter(|line| line.contains("differences")).count();
        // Components, and x for the adjoint.
        assert_eq!(compared, 3, "{text}");
    }
    good("make", &["--set", "kind=2", "--set", "b=ball"], 2);
    good("made", &[], 2);
    good("row", &[], 2);
}

#[test]
fn objects_of_class_that_the_head_is_given_have_each_type_in_turn() {
    for head in ["heavier", "replaced", "looked_at", "total"] {
        let text = good(head, &[], 6);
        for ty in ["ball", "brick", "heap"] {
            assert!(text.contains(&format!("class(body) {ty}")), "{head}: {text}");
        }
    }
    let text = good("heavier", &["--set", "b=brick"], 2);
    assert!(!text.contains("class(body) ball") && !text.contains("has chosen"), "{text}");
    let (status, text) = run("a.f90", PROGRAM, &["--head", "heavier", "--set", "b=cone"]);
    assert_eq!(status, Some(1), "{text}");
    assert!(text.contains("name one of ball, brick, heap: --set b=ball"), "{text}");
    let (status, text) = run("a.f90", PROGRAM, &["--head", "alone"]);
    assert_eq!(status, Some(1), "{text}");
    assert!(text.contains("OX5014") && text.contains("no type that extends it is given"), "{text}");
}

#[test]
fn components_that_the_head_allocates_have_weights() {
    for head in ["listed", "list_made", "longer"] {
        let text = good(head, &[], 2);
        assert!(text.lines().any(|line| line.starts_with("l%values ")), "{text}");
    }
}
