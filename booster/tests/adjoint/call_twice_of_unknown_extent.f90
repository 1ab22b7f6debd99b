! An adjoint is not passed twice, and a variable in its place needs an extent.
subroutine dot(n, x, y, r)
  implicit none
  integer, intent(in) :: n
  real(8), intent(in) :: x(*), y(*)
  real(8), intent(out) :: r
  integer :: i
  r = 0
  do i = 1, n
    r = r + x(i)*y(i)
  end do
end subroutine dot

subroutine parts(n, a, r)
  implicit none
  integer, intent(in) :: n
  real(8), intent(in) :: a(n, *)
  real(8), intent(out) :: r
  call dot(n, a(1, 1), a(1, 2), r)
end subroutine parts
