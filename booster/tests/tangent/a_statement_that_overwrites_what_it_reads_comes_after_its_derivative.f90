! call p x=0.7 y=1.3
! along x=1.0 y=-0.5
subroutine p(x, y)
  implicit none
  real(8), intent(inout) :: x, y
  x = x*x
  y = sin(x)/y
  if (y > 0.1d0) x = x + y**3
  y = 2
  y = y*x
  x = x + 1
end subroutine p
