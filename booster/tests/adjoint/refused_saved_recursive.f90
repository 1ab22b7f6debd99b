! A procedure that keeps a number between its calls and calls itself.
recursive subroutine walk(x, n)
  implicit none
  real(8), intent(inout) :: x(3)
  integer, intent(in) :: n
  integer, save :: k = 0
  k = 1 + modulo(k, 3)
  x(k) = x(k)*x(1)*k
  if (n > 1) call walk(x, n - 1)
  x(k) = x(k)**2 + x(2)
end subroutine walk
