! What the program defines is called by its name, brought in where ONLY has left it out.
module vectors
  implicit none
  private
  public :: vector, operator(+), operator(.dot.), assignment(=), add
  public :: dot, from_real
  type :: vector
    real :: c(2) = 0.0
  end type vector
  interface operator(+)
    module procedure add
  end interface
  interface operator(.dot.)
    module procedure dot
  end interface
  interface operator(-)
    module procedure negated
  end interface
  interface assignment(=)
    module procedure from_real
  end interface
contains
  type(vector) function add(a, b)
    type(vector), intent(in) :: a, b
    add%c = a%c + b%c
  end function add

  real function dot(a, b)
    type(vector), intent(in) :: a, b
    dot = sum(a%c*b%c)
  end function dot

  type(vector) function negated(a)
    type(vector), intent(in) :: a
    negated%c = -a%c
  end function negated

  subroutine from_real(a, x)
    type(vector), intent(out) :: a
    real, intent(in) :: x
    a%c = [x, 2.0*x]
  end subroutine from_real
end module vectors

module user
  use vectors, only: vector, operator(+), operator(.dot.), assignment(=)
  implicit none
contains
  subroutine s(a, b, y)
    type(vector), intent(inout) :: a, b
    real, intent(inout) :: y
    a = y
    b = 2.0*y
    a = a + b + a
    y = (a .dot. b) + y
    b = 0.0
    a = a .dot. (a + a)
  end subroutine s
end module user

program main
  use user
  implicit none
  type(vector) :: a, b
  real :: y = 1.5
  call s(a, b, y)
  print '(5es16.8)', a%c, b%c, y
end program main
