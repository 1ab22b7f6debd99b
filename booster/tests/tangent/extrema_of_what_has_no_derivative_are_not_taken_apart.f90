! call p x=2.0 n=3
! along x=1.0
elemental function scaled(a, b) result(r)
  implicit none
  real(8), intent(in) :: a, b
  real(8) :: r
  r = a*b
end function scaled

subroutine p(x, n)
  implicit none
  real(8), intent(inout) :: x
  integer, intent(in) :: n
  real(8) :: t(3, 2), top, lines(2)
  interface
    elemental function scaled(a, b) result(r)
      real(8), intent(in) :: a, b
      real(8) :: r
    end function scaled
  end interface
  t = 1.5d0
  t(n, 1) = -2.0d0
  top = x
  if (n > 2) top = maxval(scaled(2.0d0, t(:, 1)))
  lines = x
  if (n > 1) lines = minval(transpose(t), dim=2)
  x = x*top + sum(lines)
end subroutine p
