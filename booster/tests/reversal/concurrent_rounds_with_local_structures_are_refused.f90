subroutine p(n, x)
  use watch
  implicit none
  integer, intent(in) :: n
  type pair
    real :: a, b
  end type pair
  real, intent(inout) :: x(n)
  type(pair) :: t
  integer :: i
  do concurrent (i = 1:n) local(t)
    t%a = 2.0*x(i)
    x(i) = t%a
  end do
end subroutine p
