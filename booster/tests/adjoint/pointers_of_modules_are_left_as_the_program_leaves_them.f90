! call p x=[1.5,0.5] y=0
! Time levels behind pointers that change places: in the end the pointers point to where the program lets them
! point, and there are the values that it leaves.
module two_levels
  implicit none
  real(8), target, save :: a(2) = [1d0, 2d0], b(2) = [3d0, 4d0]
  real(8), pointer :: now(:) => null(), next(:) => null()
contains
  subroutine p(x, y)
    real(8), intent(in) :: x(2)
    real(8), intent(out) :: y
    real(8), pointer :: other(:)
    integer :: i
    if (.not. associated(now)) then
      now => a
      next => b
    end if
    do i = 1, 3
      next = now*x + 0.5d0*next
      other => now
      now => next
      next => other
    end do
    y = now(1)*now(2)
    now = 0.25d0*now
  end subroutine p
end module two_levels
