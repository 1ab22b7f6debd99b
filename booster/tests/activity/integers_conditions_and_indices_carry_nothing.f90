! activity head=f independent=x dependent=y,z
! run x=1.5
! why k
! why z
subroutine f(x, y, z)
  real, intent(in) :: x
  real, intent(out) :: y, z
  real :: t(3), k
  integer :: i
  i = int(x) + 1
  k = real(i)
  t = 0.0
  t(i) = 5.0
  if (x > 1.0) t(3) = 7.0
  z = t(i) + k
  y = x
end subroutine
