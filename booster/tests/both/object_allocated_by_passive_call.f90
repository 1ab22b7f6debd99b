! call p x=[0.7,1.1,0.9] y=0.5
! One call of a procedure gives an active component its object, another one a passive one: the derivative of that is
! there as well when both are released.
module object_by_passive_call
  implicit none
  type :: base
    real(8) :: v = 0.86d0
  end type base
  type :: cell
    class(base), allocatable :: o, o2
  end type cell
  class(base), allocatable, save :: gp
contains
  subroutine setup_cell(o, u)
    type(cell), intent(inout) :: o
    real(8), intent(in) :: u
    call setup_base(o%o, u)
    call setup_base(o%o2, u)
  end subroutine setup_cell
  subroutine setup_base(o, u)
    class(base), allocatable, intent(out) :: o
    real(8), intent(in) :: u
    allocate (o, source=base(v=u))
  end subroutine setup_base
  subroutine p(x, y)
    real(8), intent(in) :: x(3)
    real(8), intent(out) :: y
    type(cell) :: c1
    call setup_cell(c1, x(2)*x(1))
    call move_alloc(c1%o2, gp)
    deallocate (c1%o)
    y = gp%v*x(3)
    deallocate (gp)
  end subroutine p
end module object_by_passive_call
