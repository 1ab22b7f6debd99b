! A pointer that C_F_POINTER associates may point to what is active; what has its adjoint nobody can
! tell.
module through_c
  use iso_c_binding
  implicit none
contains
  subroutine squared(x, y)
    real(8), intent(in) :: x
    real(8), intent(out) :: y
    real(8), target :: a
    real(8), pointer :: q
    a = x
    call c_f_pointer(c_loc(a), q)
    q = q**2
    y = a
  end subroutine squared
end module through_c
