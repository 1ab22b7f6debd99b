! call sum_of n=5 x=[1,2,3,0.5,0.25] s=0
! call recurrence n=6 x=0.7 y=0
! call decay x=0.9 n=0
! call grid n=3 m=2 a=[1,2,3,4,5,6] b=[0,0,0,0,0,0]
! Counted loops, loops with other steps, loops that count rounds, nests.
subroutine sum_of(n, x, s)
  implicit none
  integer, intent(in) :: n
  real(8), intent(in) :: x(n)
  real(8), intent(inout) :: s
  integer :: i
  do i = 1, n
    s = s + x(i)*x(i)
  end do
  do i = n, 1, -2
    s = s*x(i)
  end do
end subroutine sum_of

subroutine recurrence(n, x, y)
  implicit none
  integer, intent(in) :: n
  real(8), intent(in) :: x
  real(8), intent(out) :: y
  integer :: i
  y = x
  do i = 2, n
    if (mod(i, 2) == 0) then
      y = sin(y)*x
    else if (y > 0.4d0) then
      y = y*y + x
    else
      y = y - x/y
    end if
  end do
end subroutine recurrence

subroutine decay(x, n)
  implicit none
  real(8), intent(inout) :: x
  integer, intent(out) :: n
  n = 0
  do while (x > 0.1d0)
    x = x*cos(x)/2.0d0
    n = n + 1
  end do
  x = x*n
end subroutine decay

subroutine grid(n, m, a, b)
  implicit none
  integer, intent(in) :: n, m
  real(8), intent(in) :: a(n, m)
  real(8), intent(out) :: b(n, m)
  integer :: i, j
  do j = 1, m
    do i = 1, n
      b(i, j) = a(i, j)**2
    end do
  end do
  do j = 2, m
    do i = 2, n
      b(i, j) = b(i, j) + b(i - 1, j)*b(i, j - 1)
    end do
  end do
end subroutine grid
