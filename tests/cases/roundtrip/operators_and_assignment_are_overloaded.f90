module intervals
  implicit none
  private
  type, public :: interval
    real :: lo = 0.0, hi = 0.0
  end type interval
  interface operator(+)
    module procedure add
  end interface
  interface operator(-)
    module procedure negate, subtract
  end interface
  interface operator(.contains.)
    module procedure holds
  end interface
  interface operator(.width.)
    module procedure width
  end interface
  interface assignment(=)
    module procedure from_real
  end interface
  interface operator(<)
    module procedure less
  end interface
  public :: operator(+), operator(-), operator(.contains.), operator(.width.)
  public :: assignment(=), operator(<)
contains
  elemental function add(a, b) result(c)
    type(interval), intent(in) :: a, b
    type(interval) :: c
    c = interval(a%lo + b%lo, a%hi + b%hi)
  end function add
  elemental function negate(a) result(c)
    type(interval), intent(in) :: a
    type(interval) :: c
    c = interval(-a%hi, -a%lo)
  end function negate
  elemental function subtract(a, b) result(c)
    type(interval), intent(in) :: a, b
    type(interval) :: c
    c = a + (-b)
  end function subtract
  pure logical function holds(a, x)
    type(interval), intent(in) :: a
    real, intent(in) :: x
    holds = a%lo <= x .and. x <= a%hi
  end function holds
  pure real function width(a)
    type(interval), intent(in) :: a
    width = a%hi - a%lo
  end function width
  elemental subroutine from_real(a, x)
    type(interval), intent(out) :: a
    real, intent(in) :: x
    a%lo = x
    a%hi = x
  end subroutine from_real
  pure logical function less(a, b)
    type(interval), intent(in) :: a, b
    less = a%hi < b%lo
  end function less
end module intervals

program arithmetic
  use intervals
  implicit none
  type(interval) :: a, b, c, v(2)
  a = interval(1.0, 2.0)
  b = 3.0
  c = a + b - interval(hi=0.5, lo=0.25)
  print *, c%lo, c%hi, c .contains. 3.0, .width. c, a < b
  v = 2.5
  v = v + a
  print *, v%lo, v%hi, .width. (-v(1) + a)
end program arithmetic
