! OPTIONAL arguments present, absent and handed on; generic names; keywords out of order.
module tools
  implicit none
  interface norm
    module procedure norm1, norm2d
  end interface
contains
  function norm1(v) result(r)
    real(8), intent(in) :: v(:)
    real(8) :: r
    r = sqrt(sum(v**2))
  end function
  function norm2d(m) result(r)
    real(8), intent(in) :: m(:, :)
    real(8) :: r
    r = sqrt(sum(m**2)) + m(1, 1)
  end function
  subroutine blend(a, r, b, c, note)
    real(8), intent(in) :: a
    real(8), intent(out) :: r
    real(8), intent(in), optional :: b, c(:)
    real(8), intent(out), optional :: note
    r = a*a
    if (present(b)) r = r*b
    if (present(c)) r = r + sum(c)*a
    if (present(note)) note = r*r
  end subroutine
  subroutine hand_on(a, r, b, c)
    real(8), intent(in) :: a
    real(8), intent(out) :: r
    real(8), intent(in), optional :: b, c(:)
    call blend(a, r, b=b, c=c)
    if (.not. present(b)) call blend(0.5d0*r, r=r, c=c)
  end subroutine
end module
subroutine head(n, x, y)
  use tools
  implicit none
  integer, intent(in) :: n
  real(8), intent(in) :: x(n)
  real(8), intent(out) :: y(n)
  real(8) :: s, t, u, v, m(2, 2), z(2)
  z = 0d0
  call blend(x(1), s)
  call blend(r=t, a=x(2), c=x, note=u)
  call blend(x(3), v, b=x(1)*x(2), c=[x(1), 2d0, x(3)])
  m = reshape([x, s], [2, 2])
  y(1) = norm(x) + s*norm(m) + t
  y(2) = u*v
  call hand_on(x(2), z(1))
  call hand_on(x(2), z(2), c=x, b=3d0)
  y(3) = z(1) + z(2)*x(1)
end subroutine
