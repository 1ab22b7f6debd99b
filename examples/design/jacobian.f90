subroutine rotated(a, x, y)
  real(8), intent(in) :: a, x(2)
  real(8), intent(out) :: y(2)
  real(8) :: c, s, r
  r = a*a
  c = cos(r)
  s = sin(r)
  y(1) = c*x(1) - s*x(2)
  y(2) = s*x(1) + c*x(2)
end subroutine rotated
