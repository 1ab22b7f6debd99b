! call s x=1.125 n=3
! call s x=-0.5 n=1
subroutine s(x, n)
  integer :: n, i
  real(8) :: x
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
