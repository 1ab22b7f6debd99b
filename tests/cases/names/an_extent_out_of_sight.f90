! The extent of a function's result is a constant that the caller's module does not use.
module cm
  integer, parameter :: n = 3, wp = 8
end module
module m
contains
  function f(a) result(r)
    use cm
    real(wp), intent(in) :: a
    real(wp) :: r(n)
    r = a
    r(2) = a*a
    r = r*sin(r)
  end function
  subroutine p(x, y)
    real(8), intent(in) :: x(3)
    real(8), intent(out) :: y
    real(8) :: z(3)
    z = f(x(1))*f(x(2))
    y = sum(z*f(z(3)))
  end subroutine
end module
