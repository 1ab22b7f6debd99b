module state
  implicit none
  integer, parameter :: n = 4
  real, dimension(n) :: u = [0.0, 1.0, 0.0, 0.0], u_new
  real :: dt = 0.1, &
          dx = 1.0
  integer :: step_count = 0
  real, allocatable :: history(:, :)
end module state

subroutine advance
  use state
  implicit none
  integer :: i
  u_new = u
  do i = 2, n - 1
    u_new(i) = u(i) + dt/dx**2*(u(i - 1) - 2.0*u(i) + u(i + 1))
  end do
  u = u_new
  step_count = step_count + 1
  history(:, step_count) = u
end subroutine advance

program heat
  use state, only: u, step_count, history, n
  implicit none
  integer :: k
  external :: advance
  allocate(history(n, 3))
  do k = 1, 3
    call advance
  end do
  print *, u, step_count
  print *, history
end program heat
