! call p n=5 x=1
! call p n=2 x=1
! call p n=-2 x=1
subroutine p(n, x)
  use watch
  implicit none
  integer, intent(in) :: n
  real, intent(inout) :: x
  if (n > 3) goto 10
  if (n > 0) then
    x = 2.0*x
10  x = x + 1.0
  end if
  x = -x
end subroutine p
