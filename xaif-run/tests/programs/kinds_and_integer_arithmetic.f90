! Integers wrap around, divide towards zero and promote; reals of kind 4 are rounded each time.
program kinds_and_integer_arithmetic
  implicit none
  integer(1) :: i1
  integer(2) :: i2
  integer :: i4
  integer(8) :: i8
  real :: r
  real(8) :: d
  complex :: c
  complex(8) :: z
  integer :: k
  i1 = 127
  i1 = i1 + 1_1
  i2 = 32767
  i2 = i2 + 1_2
  i4 = huge(i4)
  i4 = i4 + 1
  i8 = huge(i8)
  i8 = i8 + 1
  print *, i1, i2, i4, i8
  print *, 7/2, -7/2, 7/(-2), mod(-7, 3), modulo(-7, 3), mod(7, -3), modulo(7, -3)
  print *, 2**10, (-2)**3, 2**(-1), (-1)**(-3), 1**(-5)
  r = 0
  do k = 1, 20
    r = r + 1.0/k
  end do
  d = 0
  do k = 1, 20
    d = d + 1.0d0/k
  end do
  print *, r, d, r + d, r*2, d/3, r/3
  d = 1.0
  d = d/3.0
  r = real(d)
  print *, d, r, dble(r), real(i4), int(-2.7), nint(2.5), nint(-2.5), nint(3.5), floor(-2.1), ceiling(-2.1)
  print *, aint(-2.7d0), anint(2.5d0), anint(-3.5), sign(3.0d0, -0.0d0), sign(2, -3), dim(3, 5), dim(5.5d0, 2.0d0)
  call powers(1.7d0, 1.7, 2)
  c = (1.5, -2.25)
  z = (1.5d0, -2.25d0)
  print *, c*c, z*z, z/c, c + 1, z - 2.5d0, abs(z), aimag(z), conjg(z), z**3, z**(-2), real(c), -c
  print *, z/(0.25d0, 3.0d0), (3.0d0, 4.0d0)/(2.0d0, -1.0d0), cmplx(1, 2), cmplx(d, kind=8), (1.0, 2.0) == (1.0, 2.0)
  print *, max(1, 2, 3), min(2.5, 1.5), max(1.5d0, -2.0d0), mod(5.5d0, 2.0d0), modulo(-5.5d0, 2.0d0), mod(-5.5, 2.0)
  print *, iand(12, 10), ior(12, 10), ieor(12, 10), not(5), ishft(1, 4), ishft(-16, -2), ishftc(5, 2, 4), btest(5, 2), ibits(53, 2, 3)
  print *, popcnt(255), leadz(1), trailz(8), shiftl(3, 2), shiftr(-1, 28), shifta(-16, 2), ibset(0, 3), ibclr(15, 1), mvb()
  print *, huge(1), tiny(1.0), epsilon(1.0d0), digits(1.0), precision(1.0d0), range(1), radix(1), kind(1.0d0), bit_size(1_8)
  print *, selected_real_kind(12), selected_int_kind(9), exponent(10.0d0), fraction(10.0d0), scale(1.5d0, 3), spacing(1.0d0), nearest(1.0, 1.0)
contains
  subroutine powers(d, r, n)
    real(8), intent(in) :: d
    real, intent(in) :: r
    integer, intent(in) :: n
    print *, d**3, d**(-3), r**7, (-d)**5, d**0.5d0, r**0.3, n**0.5, d**13, r**(-11), n**n, d**n, r**(-n), d**(5_8), d**(-3_8)
  end subroutine
  integer function mvb()
    mvb = 0
    call mvbits(7, 0, 2, mvb, 3)
  end function
end program
