! call p x=0.7
! along x=1.0
subroutine p(x, y)
  implicit none
  real(8), intent(in) :: x
  real(8), intent(out) :: y
  real(8), external :: fun1
  call app(fun1, x, y)
end subroutine p
subroutine app(f, s, r)
  implicit none
  real(8), external :: f
  real(8), intent(in) :: s
  real(8), intent(out) :: r
  r = f(s)*s
end subroutine app
function fun1(x) result(r)
  implicit none
  real(8), intent(in) :: x
  real(8) :: r
  r = sin(x)
end function fun1
