module state
  use kinds
  implicit none
  type :: model_state
    real(wp) :: u(n) = 0.0_wp
    integer :: steps = 0
  end type model_state
  interface operator(*)
    module procedure scaled
  end interface
contains
  function scaled(a, s) result(r)
    real(wp), intent(in) :: a
    type(model_state), intent(in) :: s
    type(model_state) :: r
    r = model_state(a*s%u, s%steps)
  end function scaled
end module state
