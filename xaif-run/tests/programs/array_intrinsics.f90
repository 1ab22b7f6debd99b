program array_intrinsics
  implicit none
  integer :: i, s(3), n
  real(8) :: a(3, 4), v(6), w(2)
  real :: r(5)
  a = reshape([3d0, 1d0, 4d0, 1d0, 5d0, 9d0, 2d0, 6d0, 5d0, 3d0, 5d0, 8d0], [3, 4])
  v = [2d0, 7d0, 1d0, 8d0, 2d0, 8d0]
  r = [1.1, 2.2, 3.3, 4.4, 5.5]
  print *, sum(a), sum(a, 1), sum(a, dim=2), sum(a, mask=a > 2), sum(a, 1, a < 5), product(v), product(a, 2)
  print *, sum(r), product(r), maxval(a), maxval(a, 1), minval(a, 2), maxval(v, mask=v < 8), minval(r)
  print *, maxloc(a), minloc(a), maxloc(v), maxloc(v, 1), minloc(v, dim=1), maxloc(v, back=.true.), maxloc(a, 1), minloc(a, 2)
  print *, findloc(v, 2d0), findloc(v, 8d0, dim=1), findloc(v, 2d0, back=.true.), findloc(v, 99d0)
  print *, cshift(v, 2), cshift(v, -1), eoshift(v, 2), eoshift(v, -1, 9d0), cshift(a, 1, 2), eoshift(a, 1, dim=1)
  print *, spread(v(1:2), 1, 3), spread(v(1:2), 2, 2), spread(1, 1, 3)
  print *, pack(a, a > 4), pack(v, .true.), pack(v, v > 7, [0d0, 0d0, 0d0]), unpack([1, 2], [.true., .false., .true.], 0)
  print *, reshape([1, 2, 3], [2, 3], pad=[0, 9]), reshape([1, 2, 3, 4, 5, 6], [2, 3], order=[2, 1])
  print *, norm2(v), norm2(a, 1), norm2(r), parity([.true., .true., .true.]), iall([7, 3]), iany([4, 1]), iparity([5, 1])
  print *, any(a > 8, 1), all(a > 0, 2), merge([1, 2], [3, 4], [.true., .false.]), transfer(1.0, 1), transfer([1.0, 2.0], [1d0])
  print *, dot_product([(1d0, 2d0)], [(3d0, 4d0)]), dot_product([.true.], [.true.]), minval([integer ::]), maxval([real ::])
  s = shape(spread(a, 1, 2))
  n = size(a)
  w = sum(reshape(a, [2, 6]), dim=2)
  print *, s, n, w
  print *, maxval(abs(a - 4)), sqrt(sum(v**2)), sum([(sin(dble(i)), i=1, 5)])
  print *, exp(0.5d0), log(2.5d0), log10(3d0), sin(1d0), cos(1d0), tan(1d0), asin(0.3d0), acos(0.3d0), atan(2d0), atan2(1d0, -2d0)
  call functions(0.7d0, 0.7)
contains
  subroutine functions(d, r)
    real(8), intent(in) :: d
    real, intent(in) :: r
    print *, sinh(d), cosh(d), tanh(d), hypot(d, 2*d), sqrt(d), d**0.3d0
    print *, exp(r), log(r), sin(r), cos(r), tan(r), asin(r), acos(r), atan(r), sinh(r), cosh(r), tanh(r), sqrt(r), r**0.3, atan2(r, -r)
    print *, erf(d), erfc(d), asinh(d), acosh(1 + d), atanh(d), bessel_j0(d), log_gamma(3*d)
  end subroutine
end program
