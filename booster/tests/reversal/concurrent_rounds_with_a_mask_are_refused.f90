subroutine p(n, x)
  use watch
  implicit none
  integer, intent(in) :: n
  real, intent(inout) :: x(n)
  integer :: i
  do concurrent (i = 1:n, x(i) > 0.0)
    x(i) = 2.0*x(i)
  end do
end subroutine p
