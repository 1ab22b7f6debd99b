! activity head=f,g independent=f:x,g:u dependent=y
subroutine f(x, p, y)
  real :: x, p, y
  call h(x, p, y)
end subroutine

subroutine g(u, y)
  real :: u, y
  call h(1.0, u, y)
end subroutine

subroutine h(a, b, c)
  real :: a, b, c
  c = a*b
end subroutine
