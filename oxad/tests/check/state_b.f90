module settings_b
  implicit none
  real(8) :: gainb = 0
  real(8), allocatable :: tableb(:)
end module settings_b

subroutine state_b(n, x, xb, y, yb)
  use settings
  use settings_b
  implicit none
  integer, intent(in) :: n
  real(8), intent(in) :: x(0:n)
  real(8), intent(inout) :: xb(0:n)
  real(8), intent(in) :: y
  real(8), intent(inout) :: yb
  real(8) :: offset, scale, offsetb, scaleb, s, f, g
  integer :: order
  integer, parameter :: calls = 1
  common /shift/ order, offset, scale(2)
  common /shift_b/ offsetb, scaleb(2)

  g = gain*offset
  s = sum(x*table)
  f = calls*scale(1)/scale(2)**order
  gainb = gainb + f*s*yb
  scaleb(1) = scaleb(1) + calls*g*s/scale(2)**order*yb
  scaleb(2) = scaleb(2) - order*f*g*s/scale(2)*yb
  xb = xb + table*f*g*yb
  tableb = tableb + x*f*g*yb
  yb = 0
  offsetb = offsetb + gain*gainb
  gainb = offset*gainb
end subroutine state_b
