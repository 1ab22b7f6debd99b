! call p x=0.5 a=1.25 z=(0.5,-0.25) w=(1.5,0.75) r=0
! along x=1 a=-0.5 z=(0.25,1) w=(-1,0.5) r=0
! Partial derivatives of what is complex are complex; a real number may lead to it. What makes real numbers of
! complex ones, and what is no function of a complex number but of its two parts, ends a run.
subroutine p(x, a, z, w, r)
  implicit none
  real(8), intent(in) :: x, a
  complex(8), intent(inout) :: z, w
  real(8), intent(inout) :: r
  complex(8) :: s, t
  complex(4) :: narrow
  real(8) :: q
  q = sin(x)*a
  s = z*w + q
  t = exp(s)*z/w
  w = t*t + (0.0d0, 1.0d0)*s
  z = 2.0d0*q*t
  r = abs(z)
  t = conjg(w)*x
  w = t*sqrt(w)
  narrow = cmplx(t*z, kind=4)
  z = z*narrow
  w = merge(z, w*t, x > 1.0d0)*t
  z = z*w*cmplx(q, a, 8)
  r = r*real(z) + aimag(w)
end subroutine p
