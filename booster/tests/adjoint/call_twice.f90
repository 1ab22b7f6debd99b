! call top n=3 x=[0.5,1.5,2] y=0 g=0.75
! One variable for two arguments, a global that is an argument, too.
module glob
  implicit none
  real(8) :: g = 1.0d0
contains
  subroutine use_g(a, b)
    real(8), intent(in) :: a
    real(8), intent(inout) :: b
    b = b*a*g
  end subroutine use_g
end module glob

subroutine top(n, x, y)
  use glob
  implicit none
  integer, intent(in) :: n
  real(8), intent(inout) :: x(n)
  real(8), intent(out) :: y
  integer :: i
  real(8), external :: dot
  y = dot(n, x, x)
  y = y*dot(2, x(1), x(2))
  call use_g(g, y)
  y = y*dot(n, x, x*y)
  do i = 1, n
    call mix(x(i), x(1), y)
  end do
end subroutine top

function dot(n, a, b)
  implicit none
  integer, intent(in) :: n
  real(8), intent(in) :: a(n), b(n)
  real(8) :: dot
  integer :: i
  dot = 0.0d0
  do i = 1, n
    dot = dot + a(i)*b(i)*b(i)
  end do
end function dot

subroutine mix(a, b, c)
  implicit none
  real(8), intent(in) :: a, b
  real(8), intent(inout) :: c
  c = c*sin(a)*b
end subroutine mix
