! call p x=[0.5,1.5,0.75] y=0.5
! A passive call allocates components of a variable of a module, and others of an argument: what is recorded of them is
! recorded with what may not be allocated, and adjoints follow.
module passive_calls_allocate_components_of_module_variables
  implicit none
  type :: part
    real(8) :: v = 0.86d0
    real(8), allocatable :: w(:)
  end type part
  type :: base
    real(8) :: v = 0.5d0
  end type base
  type :: cell
    type(part), allocatable :: idle
    class(base), allocatable :: o, other
  end type cell
  type(cell), save :: shared
  class(base), allocatable, save :: last

contains

  subroutine give(o, u)
    type(part), allocatable, intent(out) :: o
    real(8), intent(in) :: u

    allocate(o)
    o%v = u
    o%w = [1d0, 2d0]
  end subroutine give

  subroutine prepare(u)
    real(8), intent(in) :: u

    call give(shared%idle, u)
  end subroutine prepare

  subroutine give_base(o, u)
    class(base), allocatable, intent(out) :: o
    real(8), intent(in) :: u

    allocate(o, source=base(u))
  end subroutine give_base

  subroutine fill(c, u)
    type(cell), intent(inout) :: c
    real(8), intent(in) :: u

    call give_base(c%o, 2d0)
    call give_base(c%other, u)
  end subroutine fill

  subroutine drop(c)
    type(cell), intent(inout) :: c

    if (allocated(c%idle)) deallocate(c%idle)
  end subroutine drop

  subroutine p(x, y)
    real(8), intent(in) :: x(3)
    real(8), intent(inout) :: y
    type(cell) :: c
    integer :: k

    call prepare(2d0)
    y = y*x(1)
    do k = 1, 3
      call fill(c, x(k))
      call move_alloc(c%other, last)
      deallocate(c%o)
      y = y*last%v
      call drop(c)
      if (k == 2) call give(c%idle, 3d0)
    end do
    call prepare(3d0)
    y = y + shared%idle%v*x(2)
  end subroutine p
end module passive_calls_allocate_components_of_module_variables
