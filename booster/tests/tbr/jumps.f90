subroutine s(x, n)
  integer :: n, i
  real :: x
  i = 0
10 continue
  i = i + 1
  x = x*x
  if (i < n) goto 10
  if (x) 20, 30, 30
20 x = sin(x)
  return
30 x = cos(x)
end subroutine
