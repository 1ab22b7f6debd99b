! Complex values and parts, conversions, single precision passengers, characters and integers.
subroutine head(n, x, y)
  implicit none
  integer, intent(in) :: n
  real(8), intent(in) :: x(n)
  real(8), intent(out) :: y(n)
  complex(8) :: z, w(2), u
  real(16) :: q
  character(8) :: text
  integer :: i
  z = cmplx(x(1), x(2)*x(3), 8)
  w(1) = z*conjg(z) + (0d0, 1d0)*x(2)
  w(2) = exp(z)/w(1)
  u = sqrt(w(2))**3
  w%re = w%re*x(1)
  w(2)%im = 2d0*x(3)
  call turn(w, text, i)
  q = real(x(1), 16)**2
  q = q*x(2)
  y(1) = abs(u) + aimag(w(1))
  y(2) = real(w(2)*u, 8) + real(q, 8)
  y(3) = real(sum(w), 8)*real(i, 8)
  if (text(1:4) == 'long') y(3) = y(3)*x(1)
contains
  subroutine turn(v, label, k)
    complex(8), intent(inout) :: v(:)
    character(*), intent(out) :: label
    integer, intent(out) :: k
    v = v*cmplx(x(3), 1d0, 8)
    label = 'short'
    if (size(v) > 1) label = 'long'
    k = len_trim(label)
    v(1) = dot_product(v, v)
  end subroutine
end subroutine
