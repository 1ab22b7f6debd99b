! call p x=0.5 y=1.25
! along x=1 y=-0.5
! options --per-statement
subroutine p(x, y)
  implicit none
  real(8), intent(inout) :: x, y
  y = sin(x*y)*x + y*sin(x*y)
  x = exp(x)*(x + y)*(x - y)
end subroutine p
