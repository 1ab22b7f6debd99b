! A local variable has the name of the type that a function returns.
module m
  type t
    real(8) :: a, b
  end type
contains
  type(t) function mk(a, b)
    real(8), intent(in) :: a, b
    mk%a = a*b
    mk%b = sin(a)*mk%a
  end function
  subroutine us(o, r)
    type(t), intent(in) :: o
    real(8), intent(out) :: r
    r = o%a*o%b
    r = r*r
  end subroutine
  subroutine p(x, y)
    real(8), intent(in) :: x(3)
    real(8), intent(out) :: y
    real(8) :: t, s
    t = x(1)
    call us(mk(x(1), x(2)), t)
    call us(mk(t, x(3)), s)
    y = s*t
  end subroutine
end module
