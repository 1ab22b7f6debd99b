program complexes
  implicit none
  complex :: z, w, v(3)
  complex(kind(1.0d0)) :: d
  real :: a
  z = (1.0, 2.0)
  w = cmplx(-0.5, 1.5)
  d = (1.0d0, -1.0d0)
  print *, z*w, z/w, z**2, conjg(z), abs(w), z + 1, 2.0*w
  print *, real(z), aimag(w), z%re, w%im, exp(d)
  z%re = 4.0
  z%im = -z%re
  v = [z, w, z*w]
  v%im = v%im + 1.0
  a = sum(v%re)
  print *, z, v, a, z == w, z /= w
end program complexes
