! call p x=[1,2,3,4,5,6,7,8] y=0.5 n=3
! Bounds and step of a loop may read its own variable: the value before the loop.
subroutine p(x, y, n)
  implicit none
  real(8), intent(inout) :: x(8), y
  integer, intent(inout) :: n
  integer :: i, j
  i = 2
  do i = 1, 8, i
    y = y*x(i)
    x(i) = sin(y)
  end do
  j = 5
  do j = 2, j
    y = y + x(j)**2
    x(j - 1) = x(j)*y*0.1d0
  end do
  n = 3
  do n = n, 2*n, n - 1
    y = y*x(n)
  end do
end subroutine p
