! refused OX4257
! The target of a pointer that is taken back could be anything.
module lists
  implicit none
contains
  subroutine step(v, w, y)
    real(8), intent(inout), target :: v(2), w(2)
    real(8), intent(inout) :: y
    real(8), pointer :: a(:)
    integer :: i
    a => v
    do i = 1, 4
      a = a*sin(a) + y
      y = y + a(1)*a(2)
      if (y > 0.5d0) then
        a => w
      else
        a => v
      end if
    end do
  end subroutine step
end module lists

subroutine p(x, y)
  use lists, only: step
  implicit none
  real(8), intent(in) :: x(4)
  real(8), intent(out) :: y
  real(8), target :: v(2), w(2)
  v = x(1:2)
  w = x(3:4)
  y = 0.1d0
  call step(v, w, y)
end subroutine p
