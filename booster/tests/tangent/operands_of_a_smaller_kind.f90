! call head x=[0.7,1.1,0.4,0.9,1.3,0.6] y=[0,0,0,0,0]
! along x=[1,-0.5,0.25,2,0.5,-1]
! double
!
! The partial derivative by a number of double precision has that precision, whatever that of the other operand
! is: 1/3.0 and p - 1 are not rounded to single.
subroutine head(x, y)
  implicit none
  real(8), intent(in) :: x(6)
  real(8), intent(out) :: y(5)
  real(4) :: r, p
  complex(4) :: c
  complex(8) :: z
  real(8) :: t
  r = 2.7
  p = 1.3
  c = (0.3, 1.7)
  t = sin(x(1))*x(2)
  y(1) = t**2/3.0*x(1) + cos(t)/7.0
  y(2) = t**2/r*x(2) + cos(t)*x(1)/(r*3)
  y(3) = t**(1.0/3.0)*x(1) + t**p
  y(4) = (t*r*p + x(3))*x(4) + 2.7**t
  z = exp(cmplx(x(5), x(6), 8))/c
  y(5) = real(z)*aimag(z)
end subroutine head
