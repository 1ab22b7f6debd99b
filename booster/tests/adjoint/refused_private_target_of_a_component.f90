! The derivative module would have a copy of `default_norm`, with which no pointer of the program is associated.
module refused_private_target_of_a_component
  implicit none
  private
  public :: head
  type :: solver
    procedure(norm_of), pointer, nopass :: norm => null()
  end type solver
  abstract interface
    real(8) function norm_of(v)
      real(8), intent(in) :: v(:)
    end function norm_of
  end interface
contains
  subroutine head(x, y)
    real(8), intent(inout) :: x(:), y
    type(solver) :: me
    me%norm => default_norm
    y = y*me%norm(x)
  end subroutine head

  real(8) function default_norm(v)
    real(8), intent(in) :: v(:)
    default_norm = sqrt(sum(v**2))
  end function default_norm
end module refused_private_target_of_a_component
