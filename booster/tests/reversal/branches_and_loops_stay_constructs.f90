! call p n=5 x=[1,2,3,4,5]
! call p n=1 x=[7]
subroutine p(n, x)
  use watch
  implicit none
  integer, intent(in) :: n
  real, intent(inout) :: x(n)
  integer :: i, j
  x(1) = 2*x(1)
  do i = 2, n
    if (x(i) > 2.5) then
      x(i) = x(i)*x(i-1)
    else if (i == 2) then
      x(i) = x(i-1)
    end if
    if (i > 3) x(1) = x(1) + 1
    do j = n, i, -2
      x(j) = x(j) + x(i)
    end do
  end do
  x(1) = 0
end subroutine p
