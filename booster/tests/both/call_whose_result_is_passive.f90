function norm(n, x, w) result(r)
  implicit none
  integer, intent(in) :: n
  real(8), intent(in) :: x(n)
  real(8), intent(inout) :: w(n)
  real(8) :: r
  w = w*x
  r = maxval(abs(x)) + sum(w)
end function
subroutine one(n, x, y)
  implicit none
  integer, intent(in) :: n
  real(8), intent(in) :: x(n)
  real(8), intent(out) :: y
  real(8) :: w(n), t, norm
  external norm
  w = x
  t = norm(n, x, w)
  if (t > 1d3) then
    y = 0
  else
    y = sum(w*w)
  end if
end subroutine
subroutine head(n, x, y)
  implicit none
  integer, intent(in) :: n
  real(8), intent(in) :: x(n)
  real(8), intent(out) :: y
  real(8) :: w(n), t, norm
  external norm
  w = 2*x
  call one(n, x, y)
  y = y*norm(n, x, w)
end subroutine
