! call p x=0.5 y=1.25
! along x=1 y=-0.5
! options --store operands
subroutine p(x, y)
  implicit none
  real(8), intent(inout) :: x, y
  real(8) :: s
  s = sin(x)*y
  s = s*s
  y = cos(s)*x
end subroutine p
