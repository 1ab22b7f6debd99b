! call table n=3 x=[1.2,0.7,0.4] y=0.5
! An array constructor with an implied DO inside an expression is computed by a statement of its own.
subroutine table(n, x, y)
  implicit none
  integer, intent(in) :: n
  real(8), intent(in) :: x(n)
  real(8), intent(inout) :: y
  real(8) :: a(n, n)
  real(8), allocatable :: b(:, :)
  integer :: i, k
  a = reshape([((x(i)*x(k) + i, i=1, n), k=1, n)], [n, n])
  allocate(b(n, n), source=reshape([(sin(x(i)), i=1, n), (y*x(i), i=1, n*(n - 1) - n), x], [n, n]))
  y = y + sum(a*b) + dot_product(x, [(x(n + 1 - i)*y, i=1, n)])
  y = y*maxval([(x(i)**2, i=1, n)] + a(:, 1))
end subroutine
