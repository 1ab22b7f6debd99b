module stores
  implicit none
  type :: store
    real, pointer :: values(:) => null()
  contains
    final :: release
  end type store
  type, extends(store) :: named
    character(len=8) :: name = ' '
  end type named
  type :: pair
    type(named) :: left
  end type pair
  type :: handle
    integer :: unit = 0
    real :: tolerance = 0
  contains
    final :: forget, forget_all
  end type handle
  integer :: open_handles = 0
contains
  subroutine release(this)
    type(store), intent(inout) :: this
    if (associated(this%values)) deallocate (this%values)
  end subroutine release
  subroutine forget(this)
    type(handle), intent(inout) :: this
    open_handles = open_handles - this%unit
  end subroutine forget
  subroutine forget_all(these)
    type(handle), intent(inout) :: these(:)
    these%unit = 0
  end subroutine forget_all
  subroutine sums(x, y)
    real, intent(in) :: x
    real, intent(out) :: y
    type(pair) :: p
    class(handle), allocatable :: h
    allocate (h)
    allocate (p%left%values(2))
    p%left%values = x
    y = sum(p%left%values) + h%tolerance
  end subroutine sums
end module stores
