! How far the first n values of x stray from their mean.
subroutine spread_of(n, x, spread)
  implicit none
  integer, intent(in) :: n
  real(8), intent(in) :: x(n)   ! the values
  real(8), intent(out) :: spread
  real(8) :: mean

  mean = sum(x)/n
  spread = sqrt(sum((x - mean)**2)/n)
end subroutine spread_of
