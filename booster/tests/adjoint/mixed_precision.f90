! call mixed a=1.5 b=0.5 x=[0.25,2.0] y=0
! What a number of single precision gets is rounded in so many words.
subroutine mixed(a, b, x, y)
  implicit none
  real(4), intent(inout) :: a
  real(4), intent(in) :: b
  real(8), intent(inout) :: x(2)
  real(8), intent(out) :: y
  x(1) = x(1)*b
  y = x(1)*a + x(2)
  a = 2.0*b
end subroutine mixed
