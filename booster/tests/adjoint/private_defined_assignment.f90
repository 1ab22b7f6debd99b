! call rotate x=[0.7,1.3,0.9] y=0.5
! A defined assignment whose procedure has no name where it is used: its value is a variable all the
! same, whose adjoint is passed; one that overlaps with what is assigned is copied before.
module rotations
  implicit none
  private
  type, public :: rotation
    real(8) :: c(3) = 0
  contains
    procedure, private :: from_vector
    procedure, private, pass(a) :: to_scalar
    procedure, private :: product_of
    generic :: assignment(=) => from_vector, to_scalar
    generic :: operator(*) => product_of
  end type
  type, public :: angle
    real(8) :: a = 0
  end type
  interface assignment(=)
    module procedure from_scalar
  end interface
  public :: assignment(=)
contains
  subroutine from_scalar(a, s)
    type(angle), intent(out) :: a
    real(8), intent(in) :: s
    a%a = sin(s)*s
  end subroutine
  subroutine from_vector(a, v)
    class(rotation), intent(inout) :: a
    real(8), intent(in) :: v(3)
    a%c = v*v + a%c
  end subroutine
  subroutine to_scalar(s, a)
    real(8), intent(out) :: s
    class(rotation), intent(in) :: a
    s = sum(a%c**2)
  end subroutine
  type(rotation) function product_of(a, b)
    class(rotation), intent(in) :: a
    type(rotation), intent(in) :: b
    product_of%c = a%c*b%c
  end function
end module

module turning
  use rotations, only: rotation, angle, assignment(=)
  implicit none
contains
  subroutine rotate(x, y)
    real(8), intent(in) :: x(3)
    real(8), intent(out) :: y
    type(rotation) :: w
    type(angle) :: a
    real(8) :: s
    integer :: i
    w = x
    do i = 1, 2
      w = w*w
      w = w%c
      w = 0.1d0*x(3:1:-1)
    end do
    s = w
    a = x(2)
    a = a%a
    y = s*a%a
  end subroutine
end module
