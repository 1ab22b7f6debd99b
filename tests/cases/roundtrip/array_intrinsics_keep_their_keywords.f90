program intrinsics
  implicit none
  real :: a(2, 3), b(3, 2), v(3) = [3.0, -1.0, 2.0]
  integer :: k(2), i
  logical :: m(3)
  a = reshape([1.0, 2.0, 3.0, 4.0, 5.0, 6.0], [2, 3])
  b = transpose(a)
  print *, matmul(a, b), dot_product(v, v), sum(a, dim=2), product(v)
  print *, maxval(a, mask=a < 5.0), minval(v), maxloc(v), minloc(v, dim=1)
  m = v > 0.0
  print *, any(m), all(m), count(m), pack(v, m), merge(v, 0.0, m)
  print *, spread(v, dim=1, ncopies=2), cshift(v, 1), eoshift(v, -1, boundary=9.0)
  print *, unpack([7.0, 8.0], m, v), reshape([1, 2], [3], pad=[0]), norm2(v)
  k = maxloc(a)
  print *, k, size(a, dim=1), shape(b), lbound(a), ubound(a, 2), ceiling(2.1), floor(-2.1)
  print *, (nint(v(i)), modulo(-i, 3), sign(1.0, v(i)), i=1, 3), findloc(v, 2.0)
end program intrinsics
