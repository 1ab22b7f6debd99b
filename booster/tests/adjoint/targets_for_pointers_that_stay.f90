! call head x=[0.7,1.3,0.9,0.4] y=0.5
! A target is passed for a POINTER dummy with INTENT(IN): the adjoint of the dummy has it, too.
module targets_for_pointers
  implicit none
contains
  subroutine cp(a, q)
    real(8), intent(inout) :: a
    real(8), pointer, intent(in) :: q(:)
    a = a*q(2)
    q(1) = a*q(1)
  end subroutine
  subroutine head(x, y)
    real(8), intent(in) :: x(4)
    real(8), intent(inout) :: y
    real(8), target :: w(4)
    w = x**2
    call cp(y, w(3:4))
    call cp(y, w)
    y = y*w(3)
  end subroutine
end module
