! The two arguments are declared otherwise, or one is passed on.
subroutine top(n, a, y)
  implicit none
  integer, intent(in) :: n
  real(8), intent(inout) :: a(*), y
  call other(n, a, a, y)
  call on(n, a, a, y)
end subroutine top
subroutine other(n, u, v, y)
  implicit none
  integer, intent(in) :: n
  real(8), intent(in) :: u(n, *), v(*)
  real(8), intent(inout) :: y
  y = y*u(1, 2)*v(2)
end subroutine other
subroutine on(n, u, v, y)
  implicit none
  integer, intent(in) :: n
  real(8), intent(in) :: u(*), v(*)
  real(8), intent(inout) :: y
  y = y*u(1)*v(2)
  call inner(n, u, v, y)
end subroutine on
subroutine inner(n, u, v, y)
  implicit none
  integer, intent(in) :: n
  real(8), intent(in) :: u(n), v(n)
  real(8), intent(inout) :: y
  y = y*sum(u*v)
end subroutine inner
