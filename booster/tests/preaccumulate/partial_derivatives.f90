! call p n=3 x=0.5 y=1.25 z=0
! along x=1 y=-0.5 z=0
! call single x=0.5 y=1.25 z=2
! along x=1 y=-0.5 z=3
! call constants x=0.5 y=1.25
! along x=1 y=-0.5
! Constants are folded; what a partial derivative reads may be overwritten in the run.
subroutine p(n, x, y, z)
  implicit none
  integer, intent(in) :: n
  real(8), intent(inout) :: x, y, z
  real(8), parameter :: two = 2.0d0
  real(8) :: s, t, passive
  integer :: k
  passive = 0.25d0
  s = n*x + two*y
  passive = passive*3
  t = max(s, y)*min(x, 2.0d0) + abs(x)
  k = n + 1
  s = s**k/t + passive*s
  x = x**2.5d0 + sqrt(s)
  z = sign(s, y)*exp(-t) + atan2(s, t) + (-y)
  y = z/2 - 3*(x - 1)
end subroutine p
subroutine single(x, y, z)
  implicit none
  real, intent(inout) :: x, y
  real(8), intent(inout) :: z
  real :: s
  real(8) :: t
  s = 0.1*x*y
  t = s*z
  y = t*s
  z = t + 0.1d0*y
  x = s*0.1
end subroutine single
subroutine constants(x, y)
  implicit none
  real(8), intent(inout) :: x, y
  real(8) :: a, b, c
  a = 2*x
  b = -a
  c = 0.5d0*b + y
  x = c - a
  y = 3
end subroutine constants
