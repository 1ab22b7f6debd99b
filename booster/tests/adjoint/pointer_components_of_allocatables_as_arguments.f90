! call head x=[0.7,1.3,0.9] y=0.5
! The adjoint of what holds the pointer is there in the forward sweep, in which the adjoint of the pointer is associated.
module cells_with_pointers
  implicit none
  type :: cell
    real(8) :: s = 0.1d0
    real(8), pointer :: p(:) => null()
  end type cell
  real(8), target :: memory(6)
  type(cell), allocatable :: cells(:)
contains
  subroutine shrink(q)
    real(8), pointer, intent(inout) :: q(:)
    real(8), pointer :: rest(:)
    if (.not. associated(q)) return
    q = q*0.9d0*q(1)
    rest => q(2:)
    q => rest
  end subroutine shrink
  subroutine step(u)
    real(8), intent(inout) :: u
    call shrink(cells(1)%p)
    u = u*1.5d0
  end subroutine step
  subroutine head(x, y)
    real(8), intent(in) :: x(3)
    real(8), intent(inout) :: y
    if (.not. allocated(cells)) allocate (cells(2))
    memory = [x, x]
    call step(y)
    cells(1)%p => memory(2:5)
    cells(2)%p => memory
    call step(y)
    y = y*cells(1)%p(1) + sum(cells(2)%p)
    nullify (cells(1)%p)
  end subroutine head
end module cells_with_pointers
