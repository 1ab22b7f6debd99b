! call p x1=0.5 x2=1.25 x3=2 y1=0 y2=0 y3=0
! along x1=1 x2=-0.5 x3=3 y1=0 y2=0 y3=0
! options --scarce
! Nine entries, but the Jacobian is the product of a column and a row.
subroutine p(x1, x2, x3, y1, y2, y3)
  implicit none
  real(8), intent(inout) :: x1, x2, x3, y1, y2, y3
  real(8) :: s
  s = x1*x2*x3
  y1 = sin(s)
  y2 = cos(s)
  y3 = exp(s)
end subroutine p
