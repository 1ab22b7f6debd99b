! call p n=4 x=0.3
! along x=1
! call p n=9 x=0.3
! along x=1
subroutine p(n, x, y)
  implicit none
  integer, intent(in) :: n
  real(8), intent(in) :: x
  real(8), intent(out) :: y
  real(8) :: t
  integer :: i
  y = x
  t = 1
  if (n > 8) return
  do i = 1, n
    t = t*x
    if (i == 2) cycle
    y = y + t
    if (y > 10) exit
  end do
  i = 0
10 continue
  i = i + 1
  y = y*x + t
  if (i < 3) goto 10
  select case (i)
  case (3)
    y = y*y
  case default
    y = 0
  end select
end subroutine p
