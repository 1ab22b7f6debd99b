! The human heart dipole, residuals of many of them: eight equations in eight unknowns each.
! MINPACK-2 test problem collection (B. M. Averick and others, 1992), from its description.
subroutine heart(n, x, f)
  implicit none
  integer, intent(in) :: n
  real(8), intent(in) :: x(8, n)
  real(8), intent(out) :: f(8, n)
  real(8) :: a, b, c, d, t, u, v, w, tv, tv2, v2, t2, uw, uw2, u2, w2
  integer :: i
  do i = 1, n
    a = x(1, i)
    b = x(2, i)
    c = x(3, i)
    d = x(4, i)
    t = x(5, i)
    u = x(6, i)
    v = x(7, i)
    w = x(8, i)
    tv = t*v
    uw = u*w
    t2 = t*t
    v2 = v*v
    u2 = u*u
    w2 = w*w
    tv2 = t2 - v2
    uw2 = u2 - w2
    f(1, i) = a + b + 0.63254d0
    f(2, i) = c + d + 1.34534d0
    f(3, i) = t*a + u*b - v*c - w*d + 0.8365348d0
    f(4, i) = v*a + w*b + t*c + u*d - 1.7345334d0
    f(5, i) = a*tv2 - 2.0d0*c*tv + b*uw2 - 2.0d0*d*uw - 1.352352d0
    f(6, i) = c*tv2 + 2.0d0*a*tv + d*uw2 + 2.0d0*b*uw + 0.843453d0
    f(7, i) = a*t*(t2 - 3.0d0*v2) + c*v*(v2 - 3.0d0*t2) + b*u*(u2 - 3.0d0*w2) + d*w*(w2 - 3.0d0*u2) + 0.9563453d0
    f(8, i) = c*t*(t2 - 3.0d0*v2) - a*v*(v2 - 3.0d0*t2) + d*u*(u2 - 3.0d0*w2) - b*w*(w2 - 3.0d0*u2) - 1.2342523d0
  end do
end subroutine heart
