subroutine s(x, y, n)
  integer :: n, i
  real :: x(n), y(n)
  where (x > 0.0) y = x*y
  where (y > 1.0)
    x = 2.0*x
    y = x*y
  elsewhere
    x = 0.0
  end where
  forall (i=1:n) x(i) = y(n + 1 - i)*x(i)
  y(1:2) = 0.0
end subroutine
