! The adjoint of the pointer stands in that of `cells`, which the backward sweep would begin without.
subroutine refused_pointer_in_what_is_released(x, y)
  implicit none
  real(8), intent(inout) :: x(4), y
  type :: cell
    real(8), pointer :: u(:) => null()
  end type cell
  type(cell), allocatable :: cells(:)
  real(8), target :: solution(4)
  integer :: i
  solution = x
  allocate (cells(3))
  do i = 1, 3
    cells(i)%u => solution(i:i + 1)
  end do
  cells(1)%u = cells(1)%u**2*y
  deallocate (cells)
  y = sum(solution)
end subroutine refused_pointer_in_what_is_released
