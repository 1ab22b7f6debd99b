subroutine p(n, x)
  use watch
  implicit none
  integer, intent(in) :: n
  real, intent(inout) :: x
  integer :: i
  if (n > 3) goto 10
  do i = 1, n
    x = 2.0*x
10  x = x + 1.0
  end do
end subroutine p
