! The extent of a function's result is a constant that a local variable of the caller hides.
module m
  integer, parameter :: n = 3
contains
  function f(a) result(r)
    real(8), intent(in) :: a
    real(8) :: r(n)
    r = a
    r(2) = a*a
  end function
  subroutine p(x, y)
    real(8), intent(in) :: x(3)
    real(8), intent(out) :: y
    integer :: n
    y = 1
    do n = 1, 2
      y = y*sum(f(x(n))*f(x(n+1)))
    end do
  end subroutine
end module
