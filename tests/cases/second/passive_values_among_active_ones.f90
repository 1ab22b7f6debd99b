! The tape takes numbers that have derivatives and numbers that have none, in turn: scalars, arrays, complex numbers,
! and a block that holds nothing but numbers without derivatives.
subroutine p(x, y)
  implicit none
  real(8), intent(in) :: x(5)
  real(8), intent(out) :: y
  real(8) :: w(5), c, v(5)
  complex(8) :: u(5), z
  real(4) :: h
  integer :: i, j
  w = [1d0, 2d0, 3d0, 4d0, 5d0]
  c = 0.5d0
  h = 0.25
  u = (1d0, 0.5d0)
  v = x
  y = 0
  do i = 1, 5
    do j = 1, 5
      v(j) = 0.5d0*v(j)*sin(w(j)*v(j)) + 0.1d0*c
      w(j) = w(j)*0.5d0 + 0.1d0*w(6 - j)
      c = c + 0.1d0*w(j)
      h = 0.5*h*h + 0.25
      y = y + v(j)**2*c*h
    end do
    z = u(i)*v(i)
    u = u*cmplx(0.5d0, 0.25d0, 8) + 0.1d0
    y = 0.1d0*y*aimag(z*z) + real(z)
    w = w(5:1:-1)
  end do
end subroutine p
