! The extent of an internal function's result is a variable of the host, hidden where it is called.
module m
contains
  subroutine p(x, y)
    real(8), intent(in) :: x(3)
    real(8), intent(out) :: y
    integer :: n
    real(8) :: z(3)
    n = 3
    z = f(x(1))*f(x(2))
    call s(z, y)
  contains
    function f(a) result(r)
      real(8), intent(in) :: a
      real(8) :: r(n)
      r = a
      r(2) = a*a
    end function
    subroutine s(a, b)
      real(8), intent(inout) :: a(3)
      real(8), intent(out) :: b
      integer :: n
      b = 1
      do n = 1, 2
        a = a*f(a(n))*f(a(n+1))
        b = b*sum(a)
      end do
    end subroutine
  end subroutine
end module
