! The extent of a function's result is hidden by names of BLOCK and ASSOCIATE.
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
    integer :: k
    y = 1
    do k = 1, 2
      block
        integer :: n
        n = k
        y = y*sum(f(x(n))*f(x(n+1)))
      end block
      associate (n => k + 1)
        y = y*sum(f(x(n))*f(x(n-1)))
      end associate
      associate (n => y)
        n = sin(n)*sum(f(n)*f(n*n))
      end associate
    end do
  end subroutine
end module
