! activity
subroutine s(x, y)
  real, intent(in) :: x
  real, intent(out) :: y
  real :: a
  a = 2.0*x
  y = a + x
  a = 3.0*y
  y = a - x
end subroutine
