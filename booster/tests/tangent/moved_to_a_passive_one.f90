! call head x=[0.7,1.3,0.9,0.4] y=[0.5,0.2]
! MOVE_ALLOC of an active variable to a passive one: the derivative is gone, too.
module moved_away
  implicit none
contains
  subroutine head(x, y)
    real(8), intent(in) :: x(4)
    real(8), intent(out) :: y(2)
    real(8), allocatable :: a(:), t(:)
    allocate (a(2))
    a = x(1)
    y(1) = a(2)*x(3)
    call move_alloc(a, t)
    allocate (a(3))
    a = x(2)
    deallocate (t)
    y(2) = a(3)*x(4)
  end subroutine head
end module
