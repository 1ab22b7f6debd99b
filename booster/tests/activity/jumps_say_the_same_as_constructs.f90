! activity head=f independent=x dependent=y
! run x=1.5 n=3
subroutine f(x, n, y)
  real :: x, y, t, u
  integer :: n, i
  i = 0
  t = 1.0
  u = 1.0
10 continue
  if (i >= n) goto 20
  i = i + 1
  t = t*x
  if (i > 100) goto 30
  u = u*2.0
  goto 10
20 y = t + u
  return
30 y = 0.0
end subroutine
