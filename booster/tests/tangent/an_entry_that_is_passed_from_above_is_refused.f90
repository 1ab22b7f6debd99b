subroutine p(x, y)
  implicit none
  real(8) :: x, y, t
  t = x*x
  entry q(x, y)
  if (x > 0) t = x
  y = t*x
end subroutine p
