! Watson's function (MINPACK-2, after Kowalik and Osborne, 1968) with six variables, at four of its points
! t = i/29 and with its last two residuals.
subroutine watson(x1, x2, x3, x4, x5, x6, f1, f2, f3, f4, f5, f6)
  implicit none
  real(8), intent(in) :: x1, x2, x3, x4, x5, x6
  real(8), intent(out) :: f1, f2, f3, f4, f5, f6
  real(8) :: s1, s2, s3, s4, d1, d2, d3, d4
  real(8), parameter :: t1 = 7.0d0/29.0d0, t2 = 14.0d0/29.0d0, t3 = 21.0d0/29.0d0, t4 = 28.0d0/29.0d0
  s1 = x1 + t1*(x2 + t1*(x3 + t1*(x4 + t1*(x5 + t1*x6))))
  d1 = x2 + t1*(2.0d0*x3 + t1*(3.0d0*x4 + t1*(4.0d0*x5 + t1*5.0d0*x6)))
  f1 = d1 - s1*s1 - 1.0d0
  s2 = x1 + t2*(x2 + t2*(x3 + t2*(x4 + t2*(x5 + t2*x6))))
  d2 = x2 + t2*(2.0d0*x3 + t2*(3.0d0*x4 + t2*(4.0d0*x5 + t2*5.0d0*x6)))
  f2 = d2 - s2*s2 - 1.0d0
  s3 = x1 + t3*(x2 + t3*(x3 + t3*(x4 + t3*(x5 + t3*x6))))
  d3 = x2 + t3*(2.0d0*x3 + t3*(3.0d0*x4 + t3*(4.0d0*x5 + t3*5.0d0*x6)))
  f3 = d3 - s3*s3 - 1.0d0
  s4 = x1 + t4*(x2 + t4*(x3 + t4*(x4 + t4*(x5 + t4*x6))))
  d4 = x2 + t4*(2.0d0*x3 + t4*(3.0d0*x4 + t4*(4.0d0*x5 + t4*5.0d0*x6)))
  f4 = d4 - s4*s4 - 1.0d0
  f5 = x1
  f6 = x2 - x1*x1 - 1.0d0
end subroutine watson
