! activity head=f independent=alpa,n dependent=t
subroutine f(alpha, n, y)
  real :: alpha, y, t
  integer :: n
  t = alpha
  y = t*n
end subroutine
