! call head x=[0.7,1.3] y=0.5
! No call reads what the last one has left; the adjoint is allocated where control turns, as the variable is.
module saved_allocatables
  implicit none
contains
  subroutine head(x, y)
    real(8), intent(in) :: x(2)
    real(8), intent(inout) :: y
    real(8), allocatable, save :: h(:), one
    h = [2d0, x(1)]
    one = 0.5d0
    y = y*sum(h)
    deallocate (h, one)
    allocate (h(2))
    h = x(2)
    y = y*sum(x*h(1))
  end subroutine head
end module saved_allocatables
