! A statement function of the host, where a dummy argument hides what it reads.
subroutine p(x, y)
  implicit none
  real(8), intent(in) :: x(3)
  real(8), intent(out) :: y
  real(8) :: f, t, a
  f(t) = t*a + sin(t)
  a = x(1)
  t = x(2)
  call s(t)
  y = f(t)*a
contains
  subroutine s(a)
    real(8), intent(inout) :: a
    a = f(a)*x(3)
    a = a*f(a)
  end subroutine
end subroutine
