! call p x=[1.5,0.5] y=0
! A copy would give the object other storage, and a pointer of the user's may point to it: that it is not left
! as the program leaves it is told.
module left_target
  implicit none
  type :: shape
    real(8) :: v = 0.5d0
    integer :: calls = 0
  end type shape
  type, extends(shape) :: round
    real(8) :: radius = 2d0
  end type round
  type :: cell
    class(shape), allocatable :: o
  end type cell
  type(cell), save, target :: here
contains
  subroutine p(x, y)
    real(8), intent(in) :: x(2)
    real(8), intent(out) :: y
    if (.not. allocated(here%o)) allocate(round :: here%o)
    here%o%calls = here%o%calls + 1
    here%o%v = x(1)*here%o%calls
    y = here%o%v**2*x(2)
    here%o%v = 0d0
  end subroutine p
end module left_target
