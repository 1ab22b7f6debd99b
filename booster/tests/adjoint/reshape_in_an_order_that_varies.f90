! call top n=1 x=[1,2,3,4,5,6] y=[1,2,3,4,5,6]
! call top n=2 x=[1,2,3,4,5,6] y=[1,2,3,4,5,6]
subroutine top(n, x, y)
  implicit none
  integer, intent(in) :: n
  real(8), intent(inout) :: x(6)
  real(8), intent(inout) :: y(2, 3)
  integer :: o(2)
  real(8) :: pad(2)
  o = [n, 3 - n]
  pad = x(1:2)
  y = y*reshape(x, [2, 3], order=o)
  y = reshape(x(1:5)*2, [2, 3], pad=pad, order=[2, 1])*y
  y = y + reshape(x(1:3), shape(y), pad, o)
end subroutine top
