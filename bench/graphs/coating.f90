! Coating thickness (MINPACK-2): the two measurements at the first three of its points, whose places are
! variables, too.
subroutine coating(x1, x2, x3, x4, x5, x6, x7, x8, e1, e2, e3, g1, g2, g3, &
                   a1, a2, a3, b1, b2, b3)
  implicit none
  real(8), intent(in) :: x1, x2, x3, x4, x5, x6, x7, x8, e1, e2, e3, g1, g2, g3
  real(8), intent(out) :: a1, a2, a3, b1, b2, b3
  real(8) :: p1, p2, p3, q1, q2, q3
  p1 = 0.714d0 + e1
  q1 = 5.145d0 + g1
  a1 = x1 + x2*p1 + x3*q1 + x4*p1*q1 - 9.3636d0
  b1 = x5 + x6*p1 + x7*q1 + x8*p1*q1 - 8.3158d0
  p2 = 0.7169d0 + e2
  q2 = 5.241d0 + g2
  a2 = x1 + x2*p2 + x3*q2 + x4*p2*q2 - 9.3512d0
  b2 = x5 + x6*p2 + x7*q2 + x8*p2*q2 - 8.1995d0
  p3 = 0.7232d0 + e3
  q3 = 5.389d0 + g3
  a3 = x1 + x2*p3 + x3*q3 + x4*p3*q3 - 9.4891d0
  b3 = x5 + x6*p3 + x7*q3 + x8*p3*q3 - 8.2283d0
end subroutine coating
