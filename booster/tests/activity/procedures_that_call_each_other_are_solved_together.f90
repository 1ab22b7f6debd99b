! activity head=f independent=x dependent=y
! run x=1.1 n=4
! why odd:b
recursive subroutine f(x, n, y)
  real, intent(in) :: x
  integer, intent(in) :: n
  real, intent(out) :: y
  real :: idle
  y = 1.0
  idle = 0.0
  call even(n, x, y, idle)
end subroutine

recursive subroutine even(n, a, b, c)
  integer, intent(in) :: n
  real, intent(in) :: a
  real, intent(inout) :: b, c
  if (n <= 0) return
  b = b*a
  c = c + 1.0
  call odd(n - 1, a, b, c)
end subroutine

recursive subroutine odd(n, a, b, c)
  integer, intent(in) :: n
  real, intent(in) :: a
  real, intent(inout) :: b, c
  if (n <= 0) return
  b = b + a
  call even(n - 1, a, b, c)
end subroutine
