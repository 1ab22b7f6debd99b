! The extent of a function's result is a constant that its module keeps to itself.
module m1
  private
  integer, parameter :: n = 3
  real(8), public :: v(n) = 1
  public :: f, ch
contains
  function f(a) result(r)
    real(8), intent(in) :: a
    real(8) :: r(n)
    r = a*v
    r(2) = a*a
  end function
  subroutine ch(a)
    real(8), intent(inout) :: a(n)
    a = a*v
    v = sin(v)*a
  end subroutine
end module
module m
  use m1
  private
  integer, parameter :: n = 2
  public :: p
contains
  subroutine p(x, y)
    real(8), intent(in) :: x(3)
    real(8), intent(out) :: y
    real(8) :: a(3)
    a = x
    call ch(a)
    y = sum(f(x(n))*f(a(n)))
    call ch(a)
    y = y*sum(v*a)
  end subroutine
end module
