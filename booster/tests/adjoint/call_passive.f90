! call top n=3 x=[0.5,1.5,2] y=[0,0,0]
! Actual arguments without adjoint.
subroutine top(n, x, y)
  implicit none
  integer, intent(in) :: n
  real(8), intent(in) :: x(n)
  real(8), intent(out) :: y(n)
  integer :: i
  call axpy(n, 2.0d0, x, y)
  call axpy(n, x(1), [1.0d0, 2.0d0, 3.0d0], y)
  call axpy(n, (y(2)), (x), y)
  call axpy(n, real(n, 8), [(real(i, 8), i = 1, n)], y)
  call axpy(n, 3.0d0, x*y(1), y)
end subroutine top

subroutine axpy(n, a, x, y)
  implicit none
  integer, intent(in) :: n
  real(8), intent(in) :: a, x(n)
  real(8), intent(inout) :: y(n)
  y = y*a + x*x*a
end subroutine axpy
