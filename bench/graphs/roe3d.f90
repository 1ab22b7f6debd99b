! The flux of Roe's approximate Riemann solver for the Euler equations in three space dimensions,
! through a face with normal x: density, momentum and energy on either side.
! P. L. Roe, Approximate Riemann solvers, parameter vectors, and difference schemes,
! J. Comput. Phys. 43 (1981).
subroutine roe3d(rl, mxl, myl, mzl, el, rr, mxr, myr, mzr, er, f1, f2, f3, f4, f5)
  implicit none
  real(8), intent(in) :: rl, mxl, myl, mzl, el, rr, mxr, myr, mzr, er
  real(8), intent(out) :: f1, f2, f3, f4, f5
  real(8), parameter :: gamma1 = 0.4d0
  real(8) :: ul, vl, wl, pl, hl, ur, vr, wr, pr, hr, sl, sr, s, u, v, w, h, q, c2, c
  real(8) :: dr, dp, du, dv, dw, l1, l2, l3, a1, a2, a3, a4, a5
  ul = mxl/rl
  vl = myl/rl
  wl = mzl/rl
  pl = gamma1*(el - 0.5d0*(mxl*ul + myl*vl + mzl*wl))
  hl = (el + pl)/rl
  ur = mxr/rr
  vr = myr/rr
  wr = mzr/rr
  pr = gamma1*(er - 0.5d0*(mxr*ur + myr*vr + mzr*wr))
  hr = (er + pr)/rr
  ! Averages.
  sl = sqrt(rl)
  sr = sqrt(rr)
  s = sl + sr
  u = (sl*ul + sr*ur)/s
  v = (sl*vl + sr*vr)/s
  w = (sl*wl + sr*wr)/s
  h = (sl*hl + sr*hr)/s
  q = 0.5d0*(u*u + v*v + w*w)
  c2 = gamma1*(h - q)
  c = sqrt(c2)
  ! Strengths of the waves, times their speeds.
  dr = rr - rl
  dp = pr - pl
  du = ur - ul
  dv = vr - vl
  dw = wr - wl
  l1 = abs(u - c)
  l2 = abs(u)
  l3 = abs(u + c)
  a1 = l1*(dp - sl*sr*c*du)/(2.0d0*c2)
  a2 = l2*(dr - dp/c2)
  a3 = l3*(dp + sl*sr*c*du)/(2.0d0*c2)
  a4 = l2*sl*sr*dv
  a5 = l2*sl*sr*dw
  f1 = 0.5d0*(mxl + mxr - (a1 + a2 + a3))
  f2 = 0.5d0*(mxl*ul + pl + mxr*ur + pr - (a1*(u - c) + a2*u + a3*(u + c)))
  f3 = 0.5d0*(mxl*vl + mxr*vr - ((a1 + a2 + a3)*v + a4))
  f4 = 0.5d0*(mxl*wl + mxr*wr - ((a1 + a2 + a3)*w + a5))
  f5 = 0.5d0*(mxl*hl + mxr*hr - (a1*(h - u*c) + a2*q + a3*(h + u*c) + a4*v + a5*w))
end subroutine roe3d
