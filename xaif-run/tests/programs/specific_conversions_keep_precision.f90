program conversions
  implicit none
  double precision :: x
  complex(8) :: z
  integer :: i
  x = 0.1d0
  z = (0.3d0, -0.7d0)
  i = 123456789
  print *, dble(x), dble(x) == x
  print *, dfloat(i), dble(i)
  print *, dcmplx(x, x/3), dcmplx(z)
  print *, dreal(z), sngl(x), float(i)
  print *, rrspacing(x), int8(1d10)
end program
