program constructors
  implicit none
  integer, parameter :: n = 4
  integer :: k
  integer, parameter :: squares(n) = [(k*k, k=1, n)]
  real :: a(n), m(2, 3)
  integer :: i, j
  character(len=5) :: words(3)
  complex :: z(2)
  a = (/ (real(i)/2.0, i=1, n) /)
  m = reshape([((real(i*j), i=1, 2), j=1, 3)], shape(m))
  words = [character(len=5) :: 'a', 'bcd', 'long']
  z = [complex :: 1, (2.0, -1.0)]
  print *, squares, a, m
  print *, words, '|', z
  print *, [real :: ], size([integer ::]), [1, 2, (i, i + 1, i=10, 12, 2), 3]
  print *, sum([(a(i)*a(n + 1 - i), i=1, n)]), [a(2:3), a(1)]
end program constructors
