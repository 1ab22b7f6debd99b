! activity head=f independent=x dependent=y
! run x=2.0 n=3
! why reset:a
subroutine f(x, n, y)
  real, intent(in) :: x
  integer, intent(in) :: n
  real, intent(out) :: y
  real :: t(3)
  t = x
  ! Nothing varied goes in or comes out, but t(1) has no derivative behind it.
  if (n > 2) call reset(t(1))
  y = sum(t)
end subroutine

subroutine reset(a)
  real, intent(out) :: a
  a = 4.0
end subroutine
