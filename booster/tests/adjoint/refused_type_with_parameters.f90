! What an adjoint declares for parts of such a type would have a kind that nobody knows.
module matrices
  implicit none
  type :: matrix(k, m)
    integer, kind :: k = 8
    integer, len :: m = 2
    real(k) :: a(m, m)
  end type
end module

subroutine top(x, y)
  use matrices
  implicit none
  real(8), intent(in) :: x(3)
  real(8), intent(inout) :: y
  type(matrix(8, 3)) :: p
  integer :: i
  do i = 1, 3
    p%a(:, i) = x*i
  end do
  y = sum(p%a**2)
end subroutine
