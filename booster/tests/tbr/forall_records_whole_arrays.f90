subroutine s(x, y, n)
  integer :: n, i
  real(8) :: x(n), y(n)
  y(1) = x(1)*x(2)
  forall (i=1:n) x(i) = y(n + 1 - i)*x(i)
  y(1:2) = 0.0
end subroutine
