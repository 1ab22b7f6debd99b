! call head x=[0.7,1.3,0.9,0.4] y=[0.5,0.2]
! A polymorphic module variable that a callee or the procedure itself allocates: its adjoint follows it as the
! backward sweep begins.
module kept_object
  implicit none
  type :: base
    real(8) :: v = 0.5d0
  end type base
  type, extends(base) :: e1
    real(8) :: r = 0.5d0
  end type e1
  class(base), allocatable, save :: gp
contains
  subroutine head(x, y)
    real(8), intent(in) :: x(4)
    real(8), intent(out) :: y(2)
    if (allocated(gp)) deallocate (gp)
    allocate (gp, source=e1(v=x(1), r=x(2)))
    gp%v = sin(gp%v)*x(3)
    y = gp%v
  end subroutine head
end module
