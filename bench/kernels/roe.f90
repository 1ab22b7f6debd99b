! Roe's approximate Riemann solver for the Euler equations in one dimension: the numerical flux
! between two states, and the residual of finite volumes.
! P. L. Roe, "Approximate Riemann solvers, parameter vectors, and difference schemes", 1981.
subroutine roe(n, q, r)
  implicit none
  integer, intent(in) :: n
  real(8), intent(in) :: q(3, n)
  real(8), intent(out) :: r(3, n)
  real(8), parameter :: gamma = 1.4d0, fix = 0.1d0
  real(8) :: rl, ul, pl, hl, rr, ur, pr, hr, wl, wr, u, h, c, d1, d2, d3, a1, a2, a3
  real(8) :: l1, l2, l3, s, dp, du, f1, f2, f3
  integer :: i
  do i = 1, n
    r(1, i) = 0.0d0
    r(2, i) = 0.0d0
    r(3, i) = 0.0d0
  end do
  do i = 1, n - 1
    rl = q(1, i)
    ul = q(2, i)/rl
    pl = (gamma - 1.0d0)*(q(3, i) - 0.5d0*rl*ul*ul)
    hl = (q(3, i) + pl)/rl
    rr = q(1, i + 1)
    ur = q(2, i + 1)/rr
    pr = (gamma - 1.0d0)*(q(3, i + 1) - 0.5d0*rr*ur*ur)
    hr = (q(3, i + 1) + pr)/rr
    wl = sqrt(rl)
    wr = sqrt(rr)
    s = wl + wr
    u = (wl*ul + wr*ur)/s
    h = (wl*hl + wr*hr)/s
    c = sqrt((gamma - 1.0d0)*(h - 0.5d0*u*u))
    du = wl*wr*(ur - ul)
    dp = pr - pl
    a1 = (dp - c*du)/(2.0d0*c*c)
    a2 = rr - rl - dp/(c*c)
    a3 = (dp + c*du)/(2.0d0*c*c)
    l1 = sqrt((u - c)*(u - c) + fix)
    l2 = sqrt(u*u + fix)
    l3 = sqrt((u + c)*(u + c) + fix)
    d1 = l1*a1 + l2*a2 + l3*a3
    d2 = l1*a1*(u - c) + l2*a2*u + l3*a3*(u + c)
    d3 = l1*a1*(h - u*c) + l2*a2*0.5d0*u*u + l3*a3*(h + u*c)
    f1 = 0.5d0*(rl*ul + rr*ur - d1)
    f2 = 0.5d0*(rl*ul*ul + pl + rr*ur*ur + pr - d2)
    f3 = 0.5d0*(rl*ul*hl + rr*ur*hr - d3)
    r(1, i) = r(1, i) + f1
    r(2, i) = r(2, i) + f2
    r(3, i) = r(3, i) + f3
    r(1, i + 1) = r(1, i + 1) - f1
    r(2, i + 1) = r(2, i + 1) - f2
    r(3, i + 1) = r(3, i + 1) - f3
  end do
end subroutine roe
