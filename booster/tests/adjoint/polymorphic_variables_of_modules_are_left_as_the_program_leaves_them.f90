! call grown x=[1.5,0.5] y=0
! call swapped x=[1.5,0.5] y=0
! What a head reads of its last call may be of a type that is known only as the program runs: behind the
! adjoint it has the type and the value that the program leaves there.
module left_polymorphic
  implicit none
  type :: shape
    real(8) :: v = 0.5d0
    integer :: calls = 0
  end type shape
  type, extends(shape) :: round
    real(8), allocatable :: radii(:)
  end type round
  type :: cell
    real(8) :: v = 0.25d0
    class(shape), allocatable :: o
  end type cell
  class(shape), allocatable, save :: one, other
  type(cell), save :: cells(2)
contains
  subroutine grown(x, y)
    real(8), intent(in) :: x(2)
    real(8), intent(out) :: y
    if (.not. allocated(one)) then
      allocate(shape :: one)
    else
      deallocate(one)
      allocate(round :: one)
    end if
    one%calls = one%calls + 1
    one%v = x(1)**2
    select type (one)
    type is (round)
      one%radii = [x(2), x(1)*x(2)]
      y = sum(one%radii**2)*one%v
    class default
      y = one%v*x(2)
    end select
    one%v = y
    y = y*one%v*one%calls
  end subroutine grown

  subroutine swapped(x, y)
    real(8), intent(in) :: x(2)
    real(8), intent(out) :: y
    class(shape), allocatable :: third
    integer :: i
    if (.not. allocated(cells(1)%o)) then
      allocate(cells(1)%o, source=round(v=0.75d0))
      allocate(shape :: cells(2)%o)
    end if
    call move_alloc(cells(1)%o, third)
    call move_alloc(cells(2)%o, cells(1)%o)
    call move_alloc(third, cells(2)%o)
    y = 0d0
    do i = 1, 2
      cells(i)%o%calls = cells(i)%o%calls + i
      cells(i)%v = x(i)*cells(i)%o%calls
      select type (o => cells(i)%o)
      type is (round)
        y = y + sin(cells(i)%v)*x(2)
      class default
        y = y + cells(i)%v**2*x(1)
      end select
    end do
    cells%v = 0d0
  end subroutine swapped
end module left_polymorphic
