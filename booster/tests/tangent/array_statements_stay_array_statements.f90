! call p n=4 x=[0.1,0.2,0.3,0.4]
! along x=[1,-1,0.5,2]
subroutine p(n, x, y)
  implicit none
  integer, intent(in) :: n
  real(8), intent(inout) :: x(n)
  real(8), intent(out) :: y(n, 2)
  integer :: index(4)
  index = [4, 2, 3, 1]
  y = 0
  y(:, 1) = exp(x)*x(n:1:-1)
  x(2:n) = x(1:n-1)*x(2:n)
  y(index, 2) = x*sum(x)
  y(1, :) = x(2)
  y(:, 2) = y(:, 2)*dot_product(x, y(:, 1))
end subroutine p
