! call top n=4 x=[1,2,3,4] y=2
subroutine top(n, x, y)
  implicit none
  integer, intent(in) :: n
  real(8), intent(inout) :: x(n)
  real(8), intent(inout) :: y
  integer :: i, next
  assign 10 to next
  do i = 1, n
    goto next, (10, 20, 30)
10  y = y*x(i)
    assign 20 to next
    goto 40
20  y = y + x(i)**2
    assign 10 to next
    if (i == 3) assign 30 to next
40  x(i) = x(i)*y
  end do
30 y = y*x(1)
end subroutine top
