! Prints the standard deviation of four values, and its gradient.
program gradient
  implicit none
  integer, parameter :: n = 4
  real(8) :: x(n), xb(n), spread, spreadb

  x = [1d0, 2d0, 4d0, 8d0]
  call spread_of(n, x, spread)
  xb = 0        ! the gradient is added to it
  spreadb = 1   ! the weight of the output
  call spread_of_b(n, x, xb, spread, spreadb)
  print '(a, f10.6)', 'spread  ', spread
  print '(a, 4f10.6)', 'gradient', xb
end program gradient
