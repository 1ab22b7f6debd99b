! call p n=2 x=[1,2,3,4,5,9,7,6,1,8,2,0.5] y=[1,2,3,4]
! along x=[1,0.5,0.3,-1,2,3,1,0.7,0.9,-2,4,5] y=[0.1,0.2,0.3,0.4]
subroutine p(n, x, y)
  implicit none
  integer, intent(in) :: n
  real(8), intent(in) :: x(3, 4)
  real(8), intent(inout) :: y(4)
  real(8), allocatable :: highest(:), one
  y = 2*maxval(x, dim=1) + y*minval(x*x, 1)
  y(1) = sum(3*product(x(1:n, :) + 1, dim=1))
  if (maxval(x(1, :)) > 2) y(2) = dot_product(x(:, 1), maxval(x, dim=2))
  highest = maxval(x(:, 2:), dim=1, mask=x(:, 2:) < 8)
  one = maxval(highest)
  y(3) = sum(highest) + one*y(3)
end subroutine p
