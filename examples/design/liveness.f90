subroutine misfit(n, x, cost)
  integer, intent(in) :: n
  real(8), intent(in) :: x(2, n)
  real(8), intent(out) :: cost
  integer :: i
  cost = 0
  do i = 1, n
    call add(x(:, i), cost)
  end do
end subroutine misfit

subroutine add(x, cost)
  real(8), intent(in) :: x(2)
  real(8), intent(inout) :: cost
  real(8) :: d, r
  r = exp(x(1))
  d = r - x(2)
  cost = cost + d**2
end subroutine add
