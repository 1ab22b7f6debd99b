! The extents of a constructor do not ask for parts of complex numbers.
subroutine p(x, y)
  implicit none
  real(8), intent(in) :: x(3)
  real(8), intent(out) :: y
  complex(8) :: z, zs(2)
  real(8), allocatable :: t(:)
  integer :: i
  z = cmplx(x(1), x(2), 8)
  zs = z*x(3)
  t = x
  t = [z%im, t(::2)]
  t = [t, z%re, aimag(z)]
  t = [zs%re, t(2:), zs(1)%im]
  t = [(t(i)*x(1), i = 1, 3), t(4)]
  t = [t(2:3), [(sum(t(1:i)), i = 1, 2)]]
  y = sum(sin(t))
end subroutine p
