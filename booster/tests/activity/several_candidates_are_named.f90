subroutine f(x, y)
  real :: x, y
  y = x
end subroutine

subroutine g(x, y)
  real :: x, y
  y = 2*x
end subroutine
