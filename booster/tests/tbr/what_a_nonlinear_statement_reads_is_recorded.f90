! call s x=1.5 y=0.25
! activity
! why a@11
! why y@13
subroutine s(x, y)
  real(8), intent(in) :: x
  real(8), intent(out) :: y
  real(8) :: a
  a = 2.0*x
  y = a*sin(a)
  a = 3.0*y
  y = a*y
  y = exp(a)*x
end subroutine
