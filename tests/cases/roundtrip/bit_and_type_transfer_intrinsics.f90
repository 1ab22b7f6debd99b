program bits
  implicit none
  integer :: i, k
  real :: x
  integer, parameter :: mask = int(b'1011'), high = int(o'17'), hex = int(z"1F")
  i = ior(iand(13, mask), ieor(6, 3))
  k = ishft(i, 2) + ibset(0, 4) + ibclr(31, 0) + not(0)
  x = transfer(transfer(1.5, 1), 1.0)
  print *, i, k, x, mask, high, hex, btest(5, 2), ibits(255, 2, 3), popcnt(255)
  print *, achar(65), iachar('b'), char(66), repeat('ab', 2), adjustr('a  ') // '|'
  print *, nint(2.5), aint(-2.7), anint(2.5), dim(3.0, 5.0), dim(5, 3), hypot(3.0, 4.0), mod(7.5, 2.0)
  print *, exponent(8.0), fraction(8.0), scale(1.0, 3), nearest(1.0, 1.0) > 1.0, spacing(1.0) > 0.0
end program bits
