! call norm x=1.0e146 y=0
! The square of the scale underflows; what the parentheses say of the order holds for the adjoint, too.
subroutine norm(x, y)
  implicit none
  real(8), intent(in) :: x
  real(8), intent(out) :: y
  real(8), parameter :: scale = 2.0d0**(-538)
  real(8) :: most, a
  most = x*x
  a = (most*scale)*scale
  y = sqrt(a)/scale
end subroutine norm
