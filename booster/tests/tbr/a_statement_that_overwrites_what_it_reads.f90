subroutine s(x, y)
  real :: x, y
  x = x*x
  y = 2.0*y
  x = x + y
end subroutine
