! A residual whose Jacobian has a band and a dense last column, and a summary with few rows.
module rods
  implicit none
contains
  subroutine residual(n, x, k, r)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n), k
    real(8), intent(out) :: r(n)
    integer :: i
    do i = 1, n
      r(i) = x(i)**2 + k*sin(x(i))
      if (i > 1) r(i) = r(i) - x(i - 1)*x(i)
      if (i < n) r(i) = r(i) + exp(x(i + 1))
    end do
  end subroutine residual

  ! The grid is overwritten.
  subroutine summary(m, grid, total)
    integer, intent(in) :: m
    real(8), intent(inout) :: grid(m, 3)
    real(8), intent(inout) :: total
    integer :: i
    do i = 2, m
      grid(i, :) = grid(i, :)*grid(i - 1, 3:1:-1) + total
    end do
    total = total*sum(grid(m, :)**2)
  end subroutine summary
end module rods
