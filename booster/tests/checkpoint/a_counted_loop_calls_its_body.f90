! Two loops with checkpoints, one in the other; the inner one is left early.
module heat
  implicit none
  integer :: snapshots = 3
contains
  subroutine run(nt, u, cost)
    integer, intent(in) :: nt
    real(8), intent(inout) :: u(5)
    real(8), intent(out) :: cost
    integer :: it, j
    cost = 0
    !$oxad binomial(snapshots)
    do it = nt, 1, -2
      u(2:4) = u(2:4) + 0.1d0*(u(1:3) - 2*u(2:4) + u(3:5))*it
      !$oxad periodic(2)
      do j = 1, 5
        if (u(j) > 2) exit
        if (u(j) < 0) cycle
        cost = cost + u(j)**2
      end do
      cost = cost*1.1d0
    end do
  end subroutine run
end module heat

program main
  use heat, only: run
  implicit none
  real(8) :: u(5) = [1d0, 2d0, -1d0, 0.5d0, 3d0], cost
  call run(7, u, cost)
  print '(6f12.6)', u, cost
end program main
