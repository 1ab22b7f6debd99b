! call p x=0.5 y=1.25 z=-0.75
! along x=1 y=0.5 z=-2
! call swap x=0.5 y=1.25
! along x=1 y=0.25
! call rotate x=0.5 y=1.25 a=0.3
! along x=1 y=0.25 a=-1
! call sum s=0.5 x=1.25 y=3
! along s=1 x=0.25 y=-1
! A derivative is read before it is overwritten; where that leads in a circle it is set aside.
subroutine p(x, y, z)
  implicit none
  real(8), intent(inout) :: x, y, z
  real(8) :: t
  t = x*y
  x = t*z
  y = sin(t)
  z = t + z
end subroutine p
subroutine swap(x, y)
  implicit none
  real(8), intent(inout) :: x, y
  real(8) :: t
  t = x
  x = y
  y = t
end subroutine swap
subroutine rotate(x, y, a)
  implicit none
  real(8), intent(inout) :: x, y, a
  real(8) :: c, s, t
  c = cos(a)
  s = sin(a)
  t = c*x - s*y
  y = s*x + c*y
  x = t
end subroutine rotate
subroutine sum(s, x, y)
  implicit none
  real(8), intent(inout) :: s, x, y
  s = s + x*y
  s = s + x
  x = 2
end subroutine sum
