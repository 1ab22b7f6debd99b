! A cost of a field of two dimensions and a number beside it.
module fields
  implicit none
  integer, parameter :: width = 3
  real(8) :: scale = 0.5d0
contains
  subroutine cost(m, f, c, total)
    integer, intent(in) :: m
    real(8), intent(in) :: f(width, m)
    real(8), intent(in) :: c
    real(8), intent(out) :: total(2)
    real(8) :: g(width, m)
    integer :: i, j, k

    g = f
    do k = 1, 3
      do j = 2, m
        do i = 1, width
          g(i, j) = g(i, j) + scale*sin(c*g(i, j - 1)*g(i, j))
        end do
      end do
    end do
    total(1) = sum(g**2)
    total(2) = c*product(g(:, m)) + exp(c)
  end subroutine cost
end module fields
