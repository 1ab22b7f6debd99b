! What a pointer has kept, or a structure with allocatable components, has no adjoint from call to call.
module kinds_of_state
  implicit none
  type :: history
    real(8), allocatable :: values(:)
  end type history
end module kinds_of_state
subroutine top(x, y)
  implicit none
  real(8), intent(inout) :: x(2), y
  call filter(x(1), y)
  call filter(x(2), y)
end subroutine top
subroutine filter(s, y)
  use kinds_of_state
  implicit none
  real(8), intent(inout) :: s, y
  type(history), save :: past
  real(8), pointer, save :: last
  if (.not. allocated(past%values)) then
    allocate (past%values(2), source=1d0)
    allocate (last)
    last = 1
  end if
  s = s*past%values(1)*last
  past%values = s
  last = s
  y = y + s*s
end subroutine filter
