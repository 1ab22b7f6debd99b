! The same, where the caller has a variable of the name.
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
    integer :: n
    z = 1
    do n = 1, 2
      z = z*f(x(n))*f(x(n+1))
      z = z*f(z(n))
    end do
    y = sum(z)
  end subroutine
end module
