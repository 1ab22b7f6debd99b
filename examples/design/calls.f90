subroutine path(n, x, cost)
  integer, intent(in) :: n
  real(8), intent(in) :: x
  real(8), intent(out) :: cost
  real(8) :: s(2)
  integer :: i
  s = [x, 1d0]
  do i = 1, n
    call step(s)
  end do
  cost = s(1)*s(2)
end subroutine path

subroutine step(s)
  real(8), intent(inout) :: s(2)
  integer :: j
  do j = 1, 3
    s(1) = s(1) + 0.1d0*sin(s(2))
    s(2) = s(2) - 0.1d0*s(1)**2
  end do
end subroutine step
