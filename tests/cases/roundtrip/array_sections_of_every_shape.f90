program sections
  implicit none
  real :: a(5, 6), b(3), c(2, 3)
  integer :: i, j
  a = reshape([((real(i) + 10.0*real(j), i=1, 5), j=1, 6)], [5, 6])
  b = a(1:5:2, 2)
  c = a(2:3, 4:6)
  print *, b, c
  a(:, 1) = 0.0
  a(5, :) = a(1, 6:1:-1)
  a(2:4, 2:3) = a(3:5, 3:4)
  a(1, ::2) = -1.0
  print *, a
  b(3:1:-1) = b
  print *, b, sum(a(:, 2)), shape(a(1:0, :)), size(a(:, 2:6:3))
end program sections
