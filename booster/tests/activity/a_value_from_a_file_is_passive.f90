! activity head=f independent=x dependent=y
subroutine f(x, y, n)
  real :: x, y, t(2)
  integer :: n
  t = x
  read (*, *) t(1)
  if (n > 1) write (*, *) x
  y = t(1) + t(2)
end subroutine
