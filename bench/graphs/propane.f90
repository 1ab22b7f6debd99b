! Combustion of propane, full formulation (MINPACK-2): eleven moles of products in equilibrium.
subroutine propane(x1, x2, x3, x4, x5, x6, x7, x8, x9, x10, x11, &
                   f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11)
  implicit none
  real(8), intent(in) :: x1, x2, x3, x4, x5, x6, x7, x8, x9, x10, x11
  real(8), intent(out) :: f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11
  real(8), parameter :: p = 40.0d0, rr = 10.0d0, k5 = 1.930d-1, k6 = 4.106d-4, k7 = 5.451d-4, &
                        k8 = 4.497d-7, k9 = 3.407d-5, k10 = 9.615d-7
  real(8) :: q, r, s1, s2, s3, s4
  q = p/x11
  r = sqrt(q)
  s1 = sqrt(x1)
  s2 = sqrt(x2)
  s3 = sqrt(x3)
  s4 = sqrt(x4)
  f1 = x1 + x4 - 3.0d0
  f2 = 2.0d0*x1 + x2 + x4 + x7 + x8 + x9 + 2.0d0*x10 - rr
  f3 = 2.0d0*x2 + 2.0d0*x5 + x6 + x7 - 8.0d0
  f4 = 2.0d0*x3 + x9 - 4.0d0*rr
  f5 = k5*x2*x4 - x1*x5
  f6 = k6*s2*s4 - s1*x6*r
  f7 = k7*s1*s2 - s4*x7*r
  f8 = k8*x1 - x4*x8*q
  f9 = k9*x1*s3 - x4*x9*r
  f10 = k10*x1*x1 - x4*x4*x10*q
  f11 = x11 - x1 - x2 - x3 - x4 - x5 - x6 - x7 - x8 - x9 - x10
end subroutine propane
