! The variable names a FORMAT, too.
subroutine top(n, x, y)
  implicit none
  integer, intent(in) :: n
  real(8), intent(inout) :: x(n), y
  integer :: i, next
  assign 20 to next
  do i = 1, n
    y = y*x(i)
    if (y > 3) goto next, (20, 30)
  end do
20 y = y**2
  assign 10 to next
  write (*, next) y
10 format (f8.3)
30 y = y*2
end subroutine top
