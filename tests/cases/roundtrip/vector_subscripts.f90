program vectors
  implicit none
  integer :: order(4) = [3, 1, 4, 2], pick(2) = [2, 2]
  real :: x(4) = [10.0, 20.0, 30.0, 40.0], y(4), m(3, 3)
  y = x(order)
  print *, y, x(pick)
  y(order) = x
  print *, y
  y(order(1:2)) = y(order(3:4)) + 0.5
  print *, y
  m = reshape([1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0], [3, 3])
  m([1, 3], :) = m([3, 1], :)
  print *, m(:, [3, 2]), m([2], 1)
end program vectors
