module tank
  implicit none
  private
  public :: level, drain
  real(8) :: level = 1
  real(8), parameter :: half = 0.5d0
contains
  subroutine drain(rate, out)
    real(8), intent(in) :: rate
    real(8), intent(out) :: out
    out = flow(rate)
    level = level - out
  end subroutine drain

  function flow(rate)
    real(8), intent(in) :: rate
    real(8) :: flow
    flow = rate*level**half
  end function flow
end module tank
