real function first(x, n)
  implicit none
  integer, intent(in) :: n
  real, intent(in) :: x(n), y
  real :: second
  entry second(y)
  second = y
  return
end function first
subroutine both(a, b)
  implicit none
  real, intent(inout) :: a, b
  real :: c
  a = 2*a
  entry only(b, c)
  b = c
end subroutine both
