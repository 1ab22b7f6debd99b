! A constant that is a kind and an extent, hidden by a real variable.
module m
  integer, parameter :: wp = 8, n = 3
  type t
    real(wp) :: a, b
  end type
contains
  type(t) function mk(a, b)
    real(wp), intent(in) :: a, b
    mk%a = a*b
    mk%b = sin(a)*mk%a
  end function
  function arr(a) result(r)
    real(wp), intent(in) :: a
    real(wp) :: r(n)
    r = a
    r(2) = a*a
    r = r*r(2)
  end function
  subroutine us(o, r)
    type(t), intent(in) :: o
    real(wp), intent(out) :: r
    r = o%a*o%b
    r = r*r
  end subroutine
  real(wp) function sc(a)
    real(wp), intent(in) :: a
    sc = a*a
    sc = sin(sc)*a
  end function
  subroutine p(x, y)
    real(8), intent(in) :: x(3)
    real(8), intent(out) :: y
    real(8) :: wp, n(3), u, z(3)
    wp = x(1)
    n = x
    n = n*arr(wp)
    u = sc(n(1)*wp)*sc(wp)
    n = n*arr(u)*arr(n(1))
    wp = wp*u
    z = arr(sc(wp))*n
    y = sum(z)*wp*u
  end subroutine
end module
