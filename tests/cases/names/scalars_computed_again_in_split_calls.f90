! The backward sweep of a loop computes scalars again. Their operands are arguments and variables of the module that the
! procedure overwrites before the loop, and its caller behind the call.
module scalars_computed_again
  implicit none
  integer :: shift = 0
contains
  subroutine scaled(a, x, c, k)
    real(8), intent(inout) :: a, c
    real(8), intent(in) :: x(8)
    integer, intent(inout) :: k
    real(8) :: r
    integer :: i, j, l
    c = 2*c
    k = k + 1
    shift = k - 1
    do i = 1, 3
      r = c*i
      j = k + i
      l = shift + 1
      a = sin(a*r)*x(j)*x(l)
    end do
  end subroutine

  subroutine p(x, y)
    real(8), intent(in) :: x(8)
    real(8), intent(out) :: y
    real(8) :: c
    integer :: k
    y = x(1)
    c = 0.25d0
    k = 0
    call scaled(y, x, c, k)
    y = y*x(shift + 1)*c*x(k)
    c = 3
    k = 4
    shift = 6
    y = y*c + x(k)*x(shift)
    call scaled(y, x, c, k)
    k = 7
    shift = 2
    c = 1
    y = y*c + x(k)*x(shift)
  end subroutine
end module
