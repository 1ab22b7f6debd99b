! A stone that is thrown with air drag: where it comes down, by Euler steps. The number of steps
! depends on the data, so the adjoint counts them.
subroutine range_of(speed, angle, drag, range)
  implicit none
  real(8), intent(in) :: speed, angle, drag
  real(8), intent(out) :: range
  real(8), parameter :: dt = 1.0d-2, g = 9.81d0
  real(8) :: x, y, u, v, friction

  x = 0.0d0
  y = 0.0d0
  u = speed*cos(angle)
  v = speed*sin(angle)
  do while (y >= 0.0d0)
    friction = drag*sqrt(u*u + v*v)
    x = x + dt*u
    y = y + dt*v
    u = u - dt*friction*u
    v = v - dt*(g + friction*v)
  end do
  ! back along the last step to the ground
  range = x - y*u/v
end subroutine range_of
