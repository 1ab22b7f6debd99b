module settings_d
  implicit none
  real(8) :: gaind = 0
  real(8), allocatable :: tabled(:)
end module settings_d

subroutine state_d(n, x, xd, y, yd)
  use settings
  use settings_d
  implicit none
  integer, intent(in) :: n
  real(8), intent(in) :: x(0:n), xd(0:n)
  real(8), intent(out) :: y, yd
  integer :: calls = 0
  real(8) :: offset, scale, offsetd, scaled, s, sd
  integer :: order
  common /shift/ order, offset, scale(2)
  common /shift_d/ offsetd, scaled(2)

  calls = calls + 1
  gaind = gaind*offset + gain*offsetd
  gain = gain*offset
  sd = sum(xd*table) + sum(x*tabled)
  s = sum(x*table)
  yd = calls*(gaind*s*scale(1) + gain*sd*scale(1) + gain*s*scaled(1))/scale(2)**order &
      - order*calls*gain*s*scale(1)/scale(2)**(order + 1)*scaled(2)
  y = calls*gain*s*scale(1)/scale(2)**order
end subroutine state_d
