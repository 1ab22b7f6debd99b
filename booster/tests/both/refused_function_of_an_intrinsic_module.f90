! No rule knows what `ieee_copy_sign` does to derivatives, and zero would be wrong. Where its value
! decides or is constant piece by piece, nothing is wrong.
subroutine signs(x, y, z)
  use, intrinsic :: ieee_arithmetic, only: ieee_copy_sign, other => ieee_rint, ieee_value, ieee_quiet_nan, ieee_is_nan
  implicit none
  real(8), intent(in) :: x(4)
  real(8), intent(out) :: y(4), z
  y = ieee_copy_sign(x**2, [1d0, -1d0, 1d0, -1d0])
  z = sum(other(x)*x)
  if (ieee_is_nan(x(1))) z = ieee_value(z, ieee_quiet_nan)
end subroutine signs
