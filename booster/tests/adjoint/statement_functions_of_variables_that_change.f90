! call head x=[0.7,1.3] y=0.5
! What a statement function reads beside its arguments is recorded where it changes later, also where nobody has written the
! function out yet.
subroutine head(x, y)
  implicit none
  real(8), intent(in) :: x(2)
  real(8), intent(inout) :: y
  real(8) :: t, v(2), bend, two, a
  bend(a) = sin(a*t)
  two(a) = bend(a)*v(1)
  t = x(1)*y
  v = x
  y = y*bend(x(2))
  t = y*t
  where (v > 0.9d0) v = v*t
  y = two(y)
  v = 2*v
  t = 0.3d0
  y = y + two(t)
end subroutine head
