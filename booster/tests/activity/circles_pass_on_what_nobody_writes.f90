! activity head=f independent=x dependent=y
! run x=1.1 n=7
! A circle of four procedures: `x` and `idle` are passed on and overwritten by nobody, `lost` is.
recursive subroutine f(x, n, y)
  real, intent(in) :: x
  integer, intent(in) :: n
  real, intent(out) :: y
  real :: idle, lost
  y = 1.0
  idle = 2.0
  lost = x
  call one(n, x, y, idle, lost)
end subroutine

recursive subroutine one(n, a, b, c, d)
  integer, intent(in) :: n
  real :: a, b, c, d
  call two(n - 1, a, b, c, d)
end subroutine

recursive subroutine two(n, a, b, c, d)
  integer, intent(in) :: n
  real :: a, b, c, d
  b = b*a
  call three(n - 1, a, b, c, d)
end subroutine

recursive subroutine three(n, a, b, c, d)
  integer, intent(in) :: n
  real :: a, b, c, d
  d = 3.0
  call four(n - 1, a, b, c, d)
end subroutine

recursive subroutine four(n, a, b, c, d)
  integer, intent(in) :: n
  real :: a, b, c, d
  b = b + c*d
  if (n > 0) call one(n - 1, a, b, c, d)
end subroutine
