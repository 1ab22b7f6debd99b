! call s x=1.5 y=0.25 n=4
! call s x=-1.5 y=0.25 n=1
! call s x=1.5 y=-2.25 n=2
subroutine s(x, y, n)
  real(8) :: x, y
  integer :: n, k
  if (n > 3) then
    y = y*x
  else
    y = sin(y)
  end if
  if (y > 0.0) then
    y = y*x
  end if
  if (x > 0.0) y = y*y
  k = 1
  if (k == n) y = y*y
  k = 2
  if (k == n) n = 3
  select case (n)
  case (1)
    y = y**3
  case default
    y = 2.0*y
  end select
end subroutine
