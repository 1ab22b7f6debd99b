! call elements x=[0.3,0.5,0.7,0.9] y=0.2
! call nested x=[0.3,0.5,0.7,0.9] y=0.2
! call own_memory x=[0.3,0.5,0.7,0.9] y=0.2
! The adjoints of the pointers are associated in the forward sweep, so what holds them exists there, too.
module pointers_in_allocatable_structures
  implicit none
  type :: cell
    real(8) :: k = 0
    real(8), pointer :: u(:) => null()
  end type cell
  type :: mesh
    type(cell), allocatable :: cells(:)
  end type mesh
contains
  subroutine elements(x, y)
    real(8), intent(inout) :: x(4), y
    type(cell), allocatable :: cells(:)
    real(8), target :: solution(4)
    integer :: i
    solution = x
    allocate (cells(0:2))
    do i = 0, 2
      cells(i)%u => solution(i + 1:i + 2)
    end do
    do i = 0, 2
      cells(i)%u = cells(i)%u**2*y
    end do
    y = sum(solution)
  end subroutine elements

  subroutine nested(x, y)
    real(8), intent(inout) :: x(4), y
    type(mesh) :: m
    real(8), target :: solution(4)
    integer :: i
    solution = x
    allocate (m%cells(3))
    do i = 1, 3
      m%cells(i)%u => solution(i:i + 1)
    end do
    do i = 1, 3
      m%cells(i)%k = m%cells(i)%u(1)*y
      m%cells(i)%u = m%cells(i)%u**2
    end do
    y = sum(solution) + sum(m%cells%k)
  end subroutine nested

  subroutine own_memory(x, y)
    real(8), intent(inout) :: x(4), y
    type(cell), allocatable :: cells(:)
    integer :: i
    allocate (cells(2))
    do i = 1, 2
      allocate (cells(i)%u(2))
      cells(i)%u = x(i:i + 1)
    end do
    do i = 1, 2
      cells(i)%u = cells(i)%u**2*y
      y = y + product(cells(i)%u)
    end do
    do i = 1, 2
      deallocate (cells(i)%u)
    end do
  end subroutine own_memory
end module pointers_in_allocatable_structures
