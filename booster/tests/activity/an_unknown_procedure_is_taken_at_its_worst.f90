! activity head=f independent=x dependent=y
subroutine f(x, y)
  real :: x, y, t, u, shared
  common /c/ shared
  t = x
  u = 0.0
  shared = 1.0
  call mystery(t, u)
  y = u + shared
end subroutine
