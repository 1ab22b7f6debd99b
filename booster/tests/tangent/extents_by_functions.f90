! call p x=[0.7,1.2,0.9,1.1] y=0.0
! The extent of a result that an argument gives is not computed by calling the function in the
! argument once more.
module extents_by_functions
  implicit none
  integer :: c = 0
contains
  integer function counted()
    c = mod(c, 3) + 1
    counted = c
  end function counted

  function powers(a, n) result(r)
    real(8), intent(in) :: a
    integer, intent(in) :: n
    real(8) :: r(n)
    r = a**2
    r(n) = a*n
  end function powers

  subroutine p(x, y)
    real(8), intent(in) :: x(4)
    real(8), intent(out) :: y
    integer :: i
    c = 1
    y = x(1)
    do i = 1, 3
      y = sum(powers(y, counted()))
      y = atan(y)*x(c)
    end do
  end subroutine p
end module extents_by_functions
