! activity head=f independent=x dependent=y
! run x=2.0
subroutine f(x, y)
  real, intent(in) :: x
  real, intent(out) :: y
  real, target :: t, s
  real, pointer :: p, q
  p => t
  q => s
  s = 1.0
  p = x**2
  y = t*q
end subroutine
