! call elementwise n=4 x=[1,2,0.5,0.25] y=[0,0,0,0] s=2
! call sections n=5 x=[1,2,0.5,0.25,3]
! Array statements stay array statements.
subroutine elementwise(n, x, y, s)
  implicit none
  integer, intent(in) :: n
  real(8), intent(in) :: x(n), s
  real(8), intent(out) :: y(n)
  real(8) :: t(n)
  t = s*x
  y(:) = sin(t)*x + s
  y = y*t
  y(1) = sum(x*t) + dot_product(x, y)
end subroutine elementwise

subroutine sections(n, x)
  implicit none
  integer, intent(in) :: n
  real(8), intent(inout) :: x(n)
  x(2:n) = x(1:n - 1)*x(2:n)
  x(1:n - 1) = 2.0d0*x(2:n)
  x(n:1:-1) = x
end subroutine sections
