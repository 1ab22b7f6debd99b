! call rounds x=[0.5,1.5,0.75] y=0.5
! The host calls what allocates, an internal procedure releases it: in the backward sweep it may be allocated.
module released_within
  implicit none
  type :: base
    real(8) :: v = 0.5d0
  end type base
  type :: cell
    class(base), allocatable :: o
    integer, allocatable :: list(:)
  end type cell
contains
  subroutine fill(c, k)
    type(cell), intent(inout) :: c
    integer, intent(in) :: k
    allocate(c%o)
    c%list = [k, k + 1]
  end subroutine fill

  subroutine rounds(x, y)
    real(8), intent(in) :: x(3)
    real(8), intent(inout) :: y
    type(cell) :: c
    integer :: k
    do k = 1, 3
      call fill(c, k)
      call release
    end do
  contains
    subroutine release
      y = y*sin(x(k))*c%list(1)*c%o%v
      deallocate(c%o)
      deallocate(c%list)
    end subroutine release
  end subroutine rounds
end module released_within
