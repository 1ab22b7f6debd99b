! call top n=4 x=[1,2,3,4] y=2
! call top n=2 x=[1,2] y=2
! call top n=1 x=[3] y=2
! call alone n=3 x=[1,2,3] y=2
! call alone n=0 x=[] y=2
! call deep n=3 x=[0.5,1.5,-2,1,0.25,3,1,2,-1] y=2
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

! One label; a GOTO without a list.
subroutine alone(n, x, y)
  implicit none
  integer, intent(in) :: n
  real(8), intent(inout) :: x(n)
  real(8), intent(inout) :: y
  integer :: i, next
  assign 50 to next
  do i = 1, n
    y = y*x(i)
    if (y > 3) goto next
    x(i) = x(i)*y
  end do
  y = y**2
50 y = y*2
end subroutine alone

! Out of one loop, of two, and to the next round; the variable is given its label anywhere.
subroutine deep(n, x, y)
  implicit none
  integer, intent(in) :: n
  real(8), intent(inout) :: x(n, n)
  real(8), intent(inout) :: y
  integer :: i, j, k
  assign 30 to k
  do i = 1, n
    do j = 1, n
      y = y + x(i, j)*y
      if (x(i, j) < 0) then
        x(i, j) = x(i, j)*y
        goto k, (10, 20, 30, 40)
      end if
10    x(i, j) = sin(x(i, j))*y
    end do
20  y = y/2
    if (i == 1) assign 20 to k
    if (i == 2) assign 40 to k
    cycle
30  y = y*x(i, 1)
    assign 10 to k
  end do
  goto k, (40, 50)
40 y = y*x(2, 2)
50 y = y + x(1, 1)
end subroutine deep
