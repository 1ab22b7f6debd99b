! Variables of very different sizes: a pressure, a concentration, and what has no value at all.
subroutine sizes(pressure, c, rate, tail, nothing)
  implicit none
  real(8), intent(in) :: pressure, c(3)
  real(8), intent(out) :: rate, tail(3), nothing

  rate = sum(sqrt(c))*log(pressure/101325)
  tail = 1/(c + pressure*1d-10)
  nothing = sqrt(c(1) - c(3) - 1)
end subroutine sizes
