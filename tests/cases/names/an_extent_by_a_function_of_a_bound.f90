! A function of the upper bound of the dummy argument, which is not that of the actual argument.
module m
contains
  pure integer function twice(k)
    integer, intent(in) :: k
    twice = 2*k
  end function
  function f(a) result(r)
    real(8), intent(in) :: a(:)
    real(8) :: r(twice(ubound(a, 1)))
    r = cos(a(1))
    r(2) = a(2)*a(3)
  end function
  subroutine p(x, y)
    real(8), intent(in) :: x(3)
    real(8), intent(out) :: y
    real(8) :: z(0:2)
    z = x*x
    y = sum(f(z)*f(x))
  end subroutine
end module
