module model
  use state, only: model_state, operator(*)
  use kinds, only: real_kind => wp
  implicit none
  private
  public :: advance
contains
  subroutine advance(s)
    type(model_state), intent(inout) :: s
    s = 2.0_real_kind*s
    s%u = s%u + 1.0_real_kind
    s%steps = s%steps + 1
  end subroutine advance
end module model
