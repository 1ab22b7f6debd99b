! call top n=3 x=[0.5,1.5,2] y=1
subroutine top(n, x, y)
  implicit none
  integer, intent(in) :: n
  real(8), intent(inout) :: x(n), y
  integer :: i
  do i = 1, 2
    !$oxad nocheckpoint
    call first(x(1), y)
    !$oxad nocheckpoint
    call second(x(2), x(3), y)
  end do
end subroutine top
subroutine first(a, y)
  implicit none
  real(8), intent(inout) :: a, b, y
  integer, save :: n = 0
  n = n + 1
  a = a*a*n
  y = y*a
  return
  entry second(a, b, y)
  b = b*y
  y = y + sin(a*b)
end subroutine first
