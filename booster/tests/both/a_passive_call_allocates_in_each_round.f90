! call polymorphic x=[0.5,1.5,0.75] y=0.5
! call plain x=[0.5,1.5,0.75] y=0.5
! A passive call allocates what the loop releases: nothing undoes the call, so the backward sweep finds it allocated.
module a_passive_call_allocates_in_each_round
  implicit none
  type :: base
    real(8) :: v = 0.5d0
  end type base
  type :: inner
    real(8), allocatable :: w(:)
    integer, allocatable :: list(:)
  end type inner
  type :: cell
    class(base), allocatable :: o
    type(inner) :: part
  end type cell
  type(cell), save :: shared

contains

  subroutine fill(c, k)
    type(cell), intent(inout) :: c
    integer, intent(in) :: k

    allocate(c%o)
    c%part%list = [k, k + 1]
    allocate(c%part%w(k:k + 2))
    c%part%w = k
  end subroutine fill

  subroutine prepare(k)
    integer, intent(in) :: k

    shared%part%w = [1d0*k, 2d0]
  end subroutine prepare

  subroutine polymorphic(x, y)
    real(8), intent(in) :: x(3)
    real(8), intent(inout) :: y
    type(cell) :: c
    integer :: k

    do k = 1, 3
      call fill(c, k)
      y = y*x(k)*size(c%part%list)
      deallocate(c%o)
      y = sin(y)*c%part%w(k + 1)
      deallocate(c%part%list, c%part%w)
    end do
  end subroutine polymorphic

  subroutine plain(x, y)
    real(8), intent(in) :: x(3)
    real(8), intent(inout) :: y
    integer :: k

    if (allocated(shared%part%w)) deallocate(shared%part%w)
    do k = 1, 3
      call prepare(k)
      y = y*x(k)*shared%part%w(1)
      y = y*x(k)*sum(shared%part%w)
      deallocate(shared%part%w)
    end do
  end subroutine plain
end module a_passive_call_allocates_in_each_round
