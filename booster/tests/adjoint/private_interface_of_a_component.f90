! call head x=[0.3,0.5,0.7] y=0.2
! What holds the association on its way to the tape has an interface that the module hides.
module private_interface_of_a_component
  implicit none
  private
  public :: head, rms
  type, public :: solver
    procedure(norm_of), pointer, nopass :: norm => null()
  end type solver
  abstract interface
    real(8) function norm_of(v)
      real(8), intent(in) :: v(:)
    end function norm_of
  end interface
contains
  subroutine head(x, y)
    real(8), intent(inout) :: x(3), y
    type(solver) :: me
    integer :: i
    do i = 1, 2
      me%norm => rms
      y = y*me%norm(x)
      x = x*y
    end do
  end subroutine head

  real(8) function rms(v)
    real(8), intent(in) :: v(:)
    rms = sqrt(sum(v**2)/size(v))
  end function rms
end module private_interface_of_a_component
