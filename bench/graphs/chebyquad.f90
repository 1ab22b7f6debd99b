! Chebyquad with five variables (MINPACK-2, after Fletcher, 1965): the means of shifted Chebyshev
! polynomials at the points less their integrals. Loops are written out.
subroutine chebyquad(x1, x2, x3, x4, x5, f1, f2, f3, f4, f5)
  implicit none
  real(8), intent(in) :: x1, x2, x3, x4, x5
  real(8), intent(out) :: f1, f2, f3, f4, f5
  real(8) :: s1, s2, s3, s4, s5
  real(8) :: t21, t22, t23, t24, t25
  real(8) :: t31, t32, t33, t34, t35
  real(8) :: t41, t42, t43, t44, t45
  real(8) :: t51, t52, t53, t54, t55
  s1 = 2.0d0*x1 - 1.0d0
  t21 = 2.0d0*s1*s1 - 1.0d0
  t31 = 2.0d0*s1*t21 - s1
  t41 = 2.0d0*s1*t31 - t21
  t51 = 2.0d0*s1*t41 - t31
  s2 = 2.0d0*x2 - 1.0d0
  t22 = 2.0d0*s2*s2 - 1.0d0
  t32 = 2.0d0*s2*t22 - s2
  t42 = 2.0d0*s2*t32 - t22
  t52 = 2.0d0*s2*t42 - t32
  s3 = 2.0d0*x3 - 1.0d0
  t23 = 2.0d0*s3*s3 - 1.0d0
  t33 = 2.0d0*s3*t23 - s3
  t43 = 2.0d0*s3*t33 - t23
  t53 = 2.0d0*s3*t43 - t33
  s4 = 2.0d0*x4 - 1.0d0
  t24 = 2.0d0*s4*s4 - 1.0d0
  t34 = 2.0d0*s4*t24 - s4
  t44 = 2.0d0*s4*t34 - t24
  t54 = 2.0d0*s4*t44 - t34
  s5 = 2.0d0*x5 - 1.0d0
  t25 = 2.0d0*s5*s5 - 1.0d0
  t35 = 2.0d0*s5*t25 - s5
  t45 = 2.0d0*s5*t35 - t25
  t55 = 2.0d0*s5*t45 - t35
  f1 = (s1 + s2 + s3 + s4 + s5)/5.0d0
  f2 = (t21 + t22 + t23 + t24 + t25)/5.0d0 + 1.0d0/3.0d0
  f3 = (t31 + t32 + t33 + t34 + t35)/5.0d0
  f4 = (t41 + t42 + t43 + t44 + t45)/5.0d0 + 1.0d0/15.0d0
  f5 = (t51 + t52 + t53 + t54 + t55)/5.0d0
end subroutine chebyquad
