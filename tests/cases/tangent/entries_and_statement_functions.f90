! ENTRY in subroutines and functions that share storage; statement functions.
subroutine head(n, x, y)
  implicit none
  integer, intent(in) :: n
  real(8), intent(in) :: x(n)
  real(8), intent(out) :: y(n)
  real(8) :: f, g, quad, a, b, squares, cubes
  external :: squares, cubes
  quad(a, b) = a*a*b + x(1)
  f = quad(x(1), x(2))
  g = quad(f, 2d0)
  call store(n, x, f)
  call fetch(y(1), x(2))
  y(2) = squares(x(2)) + cubes(x(3), g)
  y(3) = quad(y(1), sin(x(3)))
end subroutine

subroutine store(m, v, w)
  implicit none
  integer, intent(in) :: m
  real(8), intent(in) :: v(m), w
  real(8), intent(in) :: factor
  real(8), intent(out) :: r
  real(8), save :: kept(10) = 0d0
  integer, save :: length = 0
  length = m
  kept(:m) = v*w
  return
  entry fetch(r, factor)
  r = sum(kept(:length))*factor
end subroutine

function squares(u)
  implicit none
  real(8) :: squares, cubes
  real(8), intent(in) :: u, s
  squares = u*u
  return
  entry cubes(u, s)
  cubes = u**3*s
end function
