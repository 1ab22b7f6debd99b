! call p x=[1e5,1e-5,2.5] y=[0,0,0,0]
! An exponent in single precision is not the decimal number that its text says: what is one less than it in
! double precision is no literal in single precision.
module narrow_exponents
  implicit none
contains
  subroutine p(x, y)
    real(8), intent(in) :: x(3)
    real(8), intent(out) :: y(4)
    complex(8) :: z
    y(1) = x(1)**0.1 + x(2)**(-0.1)
    y(2) = x(1)**0.7_4*x(2)**0.3 + x(2)**2.3e0
    y(3) = sum(x**0.3) + x(1)**0.5 + x(3)**1.5
    z = cmplx(x(1), x(3), 8)**0.1
    y(4) = real(z, 8)*aimag(z)
  end subroutine p
end module narrow_exponents
