! A cup of coffee cools down: how far the computed temperatures are from the measured ones.
module cooling
  implicit none
  integer, parameter :: measured = 6
  real(8), parameter :: data(measured) = [74d0, 63d0, 55d0, 48d0, 43d0, 39d0]  ! every five minutes
contains

  ! p(1) is the rate of heat loss per minute, p(2) the temperature of the room.
  subroutine misfit(p, cost)
    real(8), intent(in) :: p(2)
    real(8), intent(out) :: cost
    integer, parameter :: steps = 100
    real(8) :: t, k
    integer :: i, j

    t = 90
    cost = 0
    do i = 1, measured
      do j = 1, steps
        k = p(1)*(1 + 0.002d0*(t - p(2)))  ! hot coffee loses more
        t = t - 5d0/steps*k*(t - p(2))
      end do
      cost = cost + (t - data(i))**2
    end do
  end subroutine misfit
end module cooling
