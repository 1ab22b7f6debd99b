! Finds the heights of least energy by Newton's method. Conjugate gradients solve the linear systems: they need products
! of the Hessian and a vector only, which energy_b_d computes.
program newton
  use chain_b_d, only: energy_b_d
  implicit none
  integer, parameter :: n = 200
  real(8) :: x(n), g(n), s(n), r(n), p(n), hp(n), alpha, rr, before
  integer :: step, k

  x = [(0.3d0*sin(0.7d0*k), k = 1, n)]
  do step = 1, 20
    call product(x, x, g, hp)
    print '(a, i3, a, es9.1)', 'step', step, '   gradient', sqrt(dot_product(g, g))
    if (dot_product(g, g) < 1d-20) exit
    s = 0
    r = -g
    p = r
    rr = dot_product(r, r)
    do k = 1, 2*n
      call product(x, p, g, hp)
      if (dot_product(p, hp) <= 0) exit
      alpha = rr/dot_product(p, hp)
      s = s + alpha*p
      r = r - alpha*hp
      before = rr
      rr = dot_product(r, r)
      if (rr < 1d-24) exit
      p = r + rr/before*p
    end do
    x = x + s
  end do
  if (step > 20) error stop 'Newton has not converged'
  print '(a, f10.3)', 'lowest point', minval(x)

contains

  ! The gradient g at x, and the product hp of the Hessian and the direction p.
  subroutine product(x, p, g, hp)
    real(8), intent(in) :: x(n), p(n)
    real(8), intent(out) :: g(n), hp(n)
    real(8) :: e, eb

    g = 0
    hp = 0
    eb = 1
    call energy_b_d(n, x, p, g, hp, e, eb)
  end subroutine product
end program newton
