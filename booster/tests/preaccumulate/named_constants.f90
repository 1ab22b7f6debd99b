! call p x=0.5 y=1.25 z=0
! along x=1 y=-0.5 z=0
! Named constants are numbers as well as literals are: products of them are computed beforehand, and
! one that is 1 costs nothing.
subroutine p(x, y, z)
  implicit none
  integer, parameter :: two = 2
  real(8), parameter :: third = 1.0d0/3.0d0, one = 1.0d0, list(2) = [0.5d0, 2.0d0]
  real(4), parameter :: narrow = 0.1
  real(8), intent(in) :: x, y
  real(8), intent(inout) :: z
  real(8) :: t, s
  t = third*x + narrow*y
  s = third*t - two*y
  z = one*s + list(2)*t
  z = z*y
end subroutine p
