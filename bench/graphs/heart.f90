! The human heart dipole problem (MINPACK-2: B. M. Averick, R. G. Carter, J. J. More, G.-L. Xue, 1992).
subroutine heart(a, b, c, d, t, u, v, w, f1, f2, f3, f4, f5, f6, f7, f8)
  implicit none
  real(8), intent(in) :: a, b, c, d, t, u, v, w
  real(8), intent(out) :: f1, f2, f3, f4, f5, f6, f7, f8
  real(8) :: tv, uw, ts, us, ts3, us3, ta, ub
  tv = t*t - v*v
  uw = u*u - w*w
  ta = t*v
  ub = u*w
  ts = t*(t*t - 3.0d0*v*v)
  us = u*(u*u - 3.0d0*w*w)
  ts3 = v*(v*v - 3.0d0*t*t)
  us3 = w*(w*w - 3.0d0*u*u)
  f1 = a + b - 0.485d0
  f2 = c + d + 0.0019d0
  f3 = t*a + u*b - v*c - w*d + 0.0581d0
  f4 = v*a + w*b + t*c + u*d - 0.015d0
  f5 = a*tv - 2.0d0*c*ta + b*uw - 2.0d0*d*ub - 0.105d0
  f6 = c*tv + 2.0d0*a*ta + d*uw + 2.0d0*b*ub - 0.0406d0
  f7 = a*ts + c*ts3 + b*us + d*us3 - 0.167d0
  f8 = c*ts - a*ts3 + d*us - b*us3 + 0.399d0
end subroutine heart
