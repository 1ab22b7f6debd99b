! The subscript is another behind the call, and behind the call there are two places.
subroutine top(n, x, y)
  implicit none
  integer, intent(inout) :: n
  real(8), intent(inout) :: x(3), y
  !$oxad nocheckpoint
  call step(x(n), n, y, *10)
  y = y*2
10 y = y*x(1)
end subroutine top
subroutine step(a, n, y, *)
  implicit none
  real(8), intent(inout) :: a, y
  integer, intent(inout) :: n
  a = a*y
  n = 1
  if (y > 1) return 1
  y = y*a
end subroutine step
