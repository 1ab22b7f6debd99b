! call s a=[[0.3,0.5],[0.7,0.9],[1.1,1.3]] y=[0,0,0]
! The adjoint of NORM2 along a dimension spreads what it gets, one number too.
subroutine s(a, y)
  implicit none
  real(8), intent(in) :: a(2, 3)
  real(8), intent(out) :: y(3)
  y = norm2(a, dim=1)
  y(1) = y(1) + sum(norm2(a, 2)*2) + norm2(a)*norm2(a(1, :)) + product(norm2(a, 1))
  y(2) = y(2)*sum(norm2(a, dim=1))
end subroutine s
