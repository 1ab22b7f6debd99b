! call head n=3 u=[0.5,0.7,0.9] y=0
! A call may overwrite what any of these pointers points to, and all are recorded before it: one that
! points nowhere yet is not looked at.
module levels
  implicit none
contains
  subroutine advance(x)
    real(8), intent(inout), target :: x(:)
    real(8), pointer :: inner(:)
    inner => x(2:)
    inner = inner*x(1)
  end subroutine advance
  subroutine head(n, u, y)
    integer, intent(in) :: n
    real(8), intent(in) :: u(n)
    real(8), intent(out) :: y
    real(8), target :: a(n), b(n)
    real(8), pointer :: now(:), before(:), never(:)
    integer :: k
    nullify(before)
    now => a
    a = u
    b = u
    do k = 1, 3
      call advance(now)
      before => now
      now => b
    end do
    y = sum(now) + sum(before**2)
    if (n > 5) then
      never => a
      y = y*never(1)
    end if
  end subroutine head
end module levels
