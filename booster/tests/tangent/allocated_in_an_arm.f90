! call head x=[0.7,1.3,0.9,0.4] y=[0.5,0.2]
! ALLOCATE of a component of what SELECT TYPE names: that of the derivative has a statement of its own.
module allocated_in_arm
  implicit none
  type :: base
    real(8) :: v = 0.5d0
  end type base
  type, extends(base) :: e1
    real(8), allocatable :: h(:)
  end type e1
contains
  subroutine setup(o, u)
    class(base), intent(inout) :: o
    real(8), intent(in) :: u
    select type (o)
    type is (e1)
      allocate (o%h(3))
      o%h = u
    end select
  end subroutine
  subroutine head(x, y)
    real(8), intent(in) :: x(4)
    real(8), intent(out) :: y(2)
    type(e1) :: d
    call setup(d, x(1))
    y = d%h(2)*x(2)
  end subroutine head
end module
