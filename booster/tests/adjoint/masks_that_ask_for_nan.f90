! call head x=[0.3,0.9,1.5,0.2] y=[1,2,3,4]
! The functions of intrinsic modules have types: a mask with one can be kept in a variable.
subroutine head(x, y)
  use, intrinsic :: ieee_arithmetic, only: is_nan => ieee_is_nan, ieee_is_finite, ieee_rint
  implicit none
  real(8), intent(in) :: x(4)
  real(8), intent(inout) :: y(4)
  real(8) :: l(4)
  l = [0.5d0, 0.7d0, 1.2d0, 0.1d0]
  where (x < l .and. .not. is_nan(l))
    y = l*y
  elsewhere (y > 2*l)
    y = 2*l*y**2
  elsewhere (is_nan(y))
    y = x
  end where
  if (ieee_is_finite(y(1))) y = y*x
end subroutine head
