! activity
! why a@10
! why y@12
subroutine s(x, y)
  real, intent(in) :: x
  real, intent(out) :: y
  real :: a
  a = 2.0*x
  y = a*sin(a)
  a = 3.0*y
  y = a*y
  y = exp(a)*x
end subroutine
