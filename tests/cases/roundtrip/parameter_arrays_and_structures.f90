program constants
  implicit none
  integer, parameter :: n = 3, table(2, n) = reshape([1, 2, 3, 4, 5, 6], [2, n])
  real, parameter :: weights(0:n - 1) = [0.25, 0.5, 0.25]
  character(len=*), parameter :: names(2) = ['north', 'south']
  logical, parameter :: mask(n) = [.true., .false., .true.]
  integer, parameter :: m = table(2, 3) + size(weights) + len(names) + count(mask)
  integer, dimension(m), save :: a = 7
  real :: b(ubound(table, 2)) = 1.5
  integer, parameter :: big = max(m, 5), bits = ishft(1, 4), low = iand(13, 6)
  print *, table, weights, names, mask, m
  print *, sum(a), b, big, bits, low, huge(1_1), int(z'ff'), digits(1.0)
end program constants
