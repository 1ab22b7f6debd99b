! Ripples that no difference quotient resolves: without them the derivative is 3 a**2, with them it is not.
subroutine ripples(a, r)
  implicit none
  real(8), intent(in) :: a
  real(8), intent(out) :: r
  r = a**3 + 1d-10*sin(1d10*a)
end subroutine ripples
