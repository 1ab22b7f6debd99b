! call top x=[0.5,1.5,2] y=0.3
! Where all calls are to be split, one that associates pointers is not.
subroutine top(x, y)
  implicit none
  real(8), intent(inout) :: x(3), y
  call walk(x, y)
  y = y*x(1)
  call walk(x, y)
end subroutine top

subroutine walk(x, y)
  implicit none
  real(8), intent(inout) :: x(3), y
  real(8), target :: a(3)
  real(8), pointer :: p
  integer :: i
  a = x*y
  do i = 1, 3
    p => a(i)
    y = y + p**2
    p = p*x(i)
  end do
  x = a
end subroutine walk
