! call p x=[0.5,1.5,2.0]
! along x=[1,-1,0.5]
module functions
  implicit none
contains
  subroutine p(x, y)
    real(8), intent(in) :: x(3)
    real(8), intent(out) :: y(4)
    y(1) = 2*power(x(1), 3) + power(power(x(2), 2), 2)
    y(1) = power(y(1), 2)
    y(2:3) = both(x(2))*x(3)
    if (power(x(1), 2) > 0.2d0) then
      y(4) = maxval(x*y(1:3))
    else
      y(4) = 0
    end if
  end subroutine p
  real(8) function power(a, n)
    real(8), intent(in) :: a
    integer, intent(in) :: n
    power = a**n
  end function power
  function both(a) result(b)
    real(8), intent(in) :: a
    real(8) :: b(2)
    b(1) = a
    b(2) = a*a
  end function both
end module functions
