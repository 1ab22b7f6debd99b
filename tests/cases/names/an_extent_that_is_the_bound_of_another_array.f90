! The upper bound of the dummy argument is not that of the actual argument.
module m
contains
  function f(a) result(r)
    real(8), intent(in) :: a(:)
    real(8) :: r(ubound(a, 1))
    r = cos(a)
  end function
  subroutine p(x, y)
    real(8), intent(in) :: x(3)
    real(8), intent(out) :: y
    real(8) :: z(0:2)
    z = x*x
    y = sum(f(z)*f(x))
  end subroutine
end module
