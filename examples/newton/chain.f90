! The energy of a chain of springs between the points x, which a force pulls down. The first and the last point
! hang on walls.
module chain
  implicit none
  real(8), parameter :: stiffness = 20, weight = 0.4d0
contains
  subroutine energy(n, x, e)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)     ! heights of the points
    real(8), intent(out) :: e
    real(8) :: left
    integer :: i

    e = 0
    left = 0
    do i = 1, n
      call spring(left, x(i), e)
      e = e + weight*x(i)
    end do
    call spring(left, 0.5d0, e)
  end subroutine energy

  ! Adds the energy of the spring between the heights a and b, and goes on to b.
  subroutine spring(a, b, e)
    real(8), intent(inout) :: a, e
    real(8), intent(in) :: b
    real(8) :: length

    length = sqrt(1 + (b - a)**2)
    e = e + 0.5d0*stiffness*(length - 0.9d0)**2
    a = b
  end subroutine spring
end module chain
