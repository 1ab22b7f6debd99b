! call factors n=4 x=[1.5,-2,0.5,0.25] s=2 y=[0,0,0,0]
! call factors n=3 x=[1.5,0,0.5] s=2 y=[0,0,0]
! call extrema n=4 x=[1.5,-2,0.5,0.25] y=[0,0,0,0]
! call lists n=5 x=[1,2,0.5,0.25,3] y=[0,0,0,0,0]
! call twice n=4 x=[1.5,-2,0.5,0.25] y=[0,0,0,0]
! Reductions whose adjoint is a loop, lists, and elements that are named twice.
subroutine factors(n, x, s, y)
  implicit none
  integer, intent(in) :: n
  real(8), intent(inout) :: x(n), s, y(n)
  real(8) :: t(n, 2), c(2)
  t(:, 1) = x
  t(:, 2) = s*x
  y(1) = product(x)
  s = s*product(x, mask=x > 0)
  c = product(t, 1)
  y(2:3) = c*s
  x(2) = product(y(1:3))
end subroutine factors

subroutine extrema(n, x, y)
  implicit none
  integer, intent(in) :: n
  real(8), intent(inout) :: x(n)
  real(8), intent(out) :: y(n)
  real(8) :: t(n, 2), c(2)
  y = 0
  t(:, 1) = x
  t(:, 2) = x*x
  y(1) = maxval(x*y + x)
  y(2) = minval(t)
  c = maxval(t, dim=1, mask=t < 2.0d0)
  y(3) = c(1)*c(2)
  x(1) = maxval(x)
end subroutine extrema

subroutine lists(n, x, y)
  implicit none
  integer, intent(in) :: n
  real(8), intent(inout) :: x(n), y(n)
  integer :: i
  y = [(x(i)*x(n), i=1, n)]
  x = [x(1), (x(i)*y(i - 1), i=n, 2, -1)]
end subroutine lists

subroutine twice(n, x, y)
  implicit none
  integer, intent(in) :: n
  real(8), intent(inout) :: x(n), y(n)
  integer :: at(n)
  at = 1
  at(n) = 2
  y = x(at)*sin(x)
  x(2:n) = x(at(2:n))**2 - y(at(:n - 1))
  where (y > 0) y = x(at)*y
end subroutine twice
