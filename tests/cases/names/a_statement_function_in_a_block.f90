! A statement function within a BLOCK that hides what it reads.
subroutine p(x, y)
  implicit none
  real(8), intent(in) :: x(3)
  real(8), intent(out) :: y
  real(8) :: f, t, a
  f(t) = t*a
  a = x(1)
  block
    real(8) :: a
    a = x(2)
    y = f(x(3))*a
  end block
end subroutine
