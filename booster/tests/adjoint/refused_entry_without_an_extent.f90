! What must go from one half to the other has no extent where the procedure is entered by another name.
subroutine top(n, x, y)
  implicit none
  integer, intent(in) :: n
  real(8), intent(inout) :: x(n), y
  !$oxad nocheckpoint
  call whole(n, x, y)
  !$oxad nocheckpoint
  call part(y)
end subroutine top
subroutine whole(n, x, y)
  implicit none
  integer, intent(in) :: n
  real(8), intent(inout) :: x(n), y
  real(8) :: t(n)
  t = x*y
  y = sum(t*t*x)
  x = t
  return
  entry part(y)
  y = y*y
end subroutine whole
