! call p x=0.7 y=0
! along x=1
! real loops
! A real loop variable keeps the derivative of what it begins with, in all rounds and behind the loop.
subroutine p(x, y)
  implicit none
  real(8), intent(in) :: x
  real(8), intent(out) :: y
  real(8) :: t
  integer :: i
  y = 0
  do t = 0.1d0*x**2, 1.0d0, 0.26d0
    y = y + t*t
  end do
  y = y*t
  do i = 1, 2
    do t = y, y + 1.0d0, 0.3d0
      if (t > 40) exit
      y = y + sin(t)
    end do
    y = y + t
  end do
end subroutine p
