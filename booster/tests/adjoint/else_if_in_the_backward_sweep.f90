! call p n=5 k=[1,2,3,0,1] x=[1,2,3,4,5] y=[1,1,1,1,1]
! call nested n=5 k=[1,2,3,0,1] x=[1,2,3,4,5] y=[1,1,1,1,1]
! The mirror of a chain of conditions is a chain; a comment stays behind the declaration that it tells of.
subroutine p(n, k, x, y)
  implicit none
  integer, intent(in) :: n, k(n)
  real(8), intent(in) :: x(n)  ! what goes in
  real(8), intent(inout) :: y(n)  ! what comes out
  integer :: i
  do i = 1, n
    if (k(i) == 1) then
      y(i) = sin(x(i))
    else if (k(i) == 2) then
      y(i) = cos(x(i))
    else if (k(i) > 2) then
      y(i) = x(i)**2
    else
      y(i) = x(i)**3*x(1)
    end if
  end do
end subroutine p

! What follows the inner one in its arm is no chain.
subroutine nested(n, k, x, y)
  implicit none
  integer, intent(in) :: n, k(n)
  real(8), intent(in) :: x(n)
  real(8), intent(inout) :: y(n)
  integer :: i
  do i = 1, n
    if (k(i) == 1) then
      y(i) = sin(x(i))
    else
      y(i) = y(i)*x(1)
      if (k(i) == 2) then
        y(i) = cos(x(i))
      else if (k(i) == 3) then
        y(i) = x(i)**2
      end if
    end if
  end do
end subroutine nested
