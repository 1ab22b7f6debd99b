! call s x=1.5 y=0.25
! activity
subroutine s(x, y)
  real(8), intent(in) :: x
  real(8), intent(out) :: y
  real(8) :: a
  a = 2.0*x
  y = a + x
  a = 3.0*y
  y = a - x
end subroutine
