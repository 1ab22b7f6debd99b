! The extent of a function's result is told by defined operators.
module m1
  type t
    integer :: n
  end type
  interface operator(+)
    module procedure ad
  end interface
  interface operator(.n.)
    module procedure un
  end interface
contains
  pure integer function ad(a, j)
    type(t), intent(in) :: a
    integer, intent(in) :: j
    ad = a%n + j - 1
  end function
  pure integer function un(a)
    type(t), intent(in) :: a
    un = a%n
  end function
  function f(o, a, k) result(r)
    type(t), intent(in) :: o
    real(8), intent(in) :: a
    integer, intent(in) :: k
    real(8) :: r(o + k)
    r = a
    r(2) = a*a
    r = r*sin(r)
  end function
  function g(o, a) result(r)
    type(t), intent(in) :: o
    real(8), intent(in) :: a
    real(8) :: r(.n. o)
    r = a
    r(2) = a*a
    r = r*sin(r)
  end function
end module
module m
  use m1, only: f, g, t
contains
  subroutine p(x, y)
    real(8), intent(in) :: x(3)
    real(8), intent(out) :: y
    type(t) :: q
    q = t(3)
    y = sum(f(q, x(1), 1)*f(q, x(2), 1))*x(3)
    y = y*sum(g(q, y))
  end subroutine
end module
