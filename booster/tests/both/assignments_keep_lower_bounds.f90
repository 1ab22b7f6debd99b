! call first x=[0.7,1.3] y=0.5
! call again x=[0.7,1.3] y=0.5
! call other_ways x=[0.7,1.3] y=0.5
! An assignment of a whole array keeps the lower bound of a variable that has the shape already: it depends on what was there
! before, in the next call of the head as in a call that is executed again.
module assignments_keep_lower_bounds
  implicit none
  type :: cell
    real(8), allocatable :: w(:)
  end type cell
  real(8), allocatable :: shared(:)
  type(cell) :: held

contains

  subroutine first(x, y)
    real(8), intent(in) :: x(2)
    real(8), intent(inout) :: y
    real(8), allocatable, save :: h(:)

    h = [y*x(2), x(1)]
    y = y*h(1)
    deallocate(h)
    allocate(h(0:1))
    h = x(2)
  end subroutine first

  subroutine fill(x, y)
    real(8), intent(in) :: x(2)
    real(8), intent(inout) :: y

    shared = [sin(y), x(1)*y]
    held%w = [x(2)*y, x(1)]
    y = y*shared(1) + held%w(1)
  end subroutine fill

  subroutine give(a)
    real(8), allocatable, intent(inout) :: a(:)

    if (allocated(a)) deallocate(a)
    allocate(a(0:1))
    a = 1d0
  end subroutine give

  subroutine again(x, y)
    real(8), intent(in) :: x(2)
    real(8), intent(inout) :: y
    type(cell) :: other
    integer :: k

    if (allocated(held%w)) deallocate(held%w)
    shared = [1d0, 2d0, 3d0]
    call fill(x, y)
    do k = 1, 2
      if (k == 1) then
        deallocate(shared)
        allocate(shared(0:1), source=x)
        allocate(other%w(0:1))
        other%w = y
        call move_alloc(other%w, held%w)
      else
        shared = [x, 1d0]
        held%w = [x, 1d0, 2d0]
      end if
      call fill(x, y)
    end do
  end subroutine again

  subroutine other_ways(x, y)
    real(8), intent(in) :: x(2)
    real(8), intent(inout) :: y
    real(8) :: table(0:1)
    type(cell) :: own

    table = x*y
    if (allocated(held%w)) deallocate(held%w)
    shared = [x, x]
    own%w = table
    call move_alloc(own%w, held%w)
    call fill(x, y)
    call give(shared)
    call fill(x, y)
    shared = [x, x]
    call fill(x, y)
  end subroutine other_ways
end module assignments_keep_lower_bounds
