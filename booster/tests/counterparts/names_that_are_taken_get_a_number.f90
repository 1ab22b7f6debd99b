subroutine p(x, xd, mo)
  implicit none
  real, intent(inout) :: x, mo
  integer, intent(in) :: xd
  x = mod(x, mo) + xd
contains
  subroutine inner(y)
    real, intent(inout) :: y
    real :: x, yd
    x = y
    yd = x
    y = yd
  end subroutine inner
end subroutine p
subroutine p_d(x)
  implicit none
  real, intent(inout) :: x
  x = 2*x
end subroutine p_d
