! taken with facts
! `get_level` has no source. It can reach what modules hold, not what another procedure keeps.
module saved_variables_behind_an_unknown_procedure
  implicit none
  real(8) :: held = 2
contains
  subroutine head(x, y)
    real(8), intent(in) :: x
    real(8), intent(out) :: y
    integer :: level
    call profile(x, y)
    call get_level(level)
    if (level > 0) y = y**2
  end subroutine head

  subroutine profile(x, y)
    real(8), intent(in) :: x
    real(8), intent(out) :: y
    real(8) :: sigma
    data sigma /0.25d0/
    y = exp(sigma*held*x**2)
  end subroutine profile
end module saved_variables_behind_an_unknown_procedure
