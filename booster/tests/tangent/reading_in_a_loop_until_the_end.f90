! call p x=1.5 y=0
! along x=1
subroutine p(x, y)
  implicit none
  real(8), intent(in) :: x
  real(8), intent(inout) :: y
  character(len=20) :: lines(4)
  real(8) :: v(4), w, last
  integer :: i, n, ios
  lines = ['2.0 4.0 ', '3.5 1.0 ', '        ', '7.0     ']
  v = x
  last = x*x
  n = 0
  do i = 1, 4
    read (lines(i), *, end=10) v(i), w
    n = n + 1
    v(i) = v(i)*x
    last = last + w
  end do
10 continue
  y = sum(v(1:n))*v(4) + last*x
  w = x
  read (lines(4), *, iostat=ios) w
  if (ios == 0) y = y + w*x
  do i = 1, 2
    w = w*x
    y = y + w
    read (lines(i), *) w
  end do
  y = y*w
end subroutine p
