! call top n=3 x=[0.5,1.5,2] y=[0,0,0]
module fns
  implicit none
  real(8) :: total = 1.0d0
contains
  function twice(n, v) result(r)
    integer, intent(in) :: n
    real(8), intent(in) :: v(n)
    real(8) :: r(n)
    r = v*v
    r(1) = r(1)*r(n)
  end function twice
  function effect(a) result(r)
    real(8), intent(inout) :: a
    real(8) :: r
    r = a*a
    a = a*r
    total = total*a
  end function effect
  elemental function el(a, b) result(r)
    real(8), intent(in) :: a, b
    real(8) :: r
    r = a*b
    r = r*sin(r)
  end function el
  elemental subroutine scale(a, b)
    real(8), intent(inout) :: a
    real(8), intent(in) :: b
    a = a*a*b
  end subroutine scale
end module fns

subroutine top(n, x, y)
  use fns
  implicit none
  integer, intent(in) :: n
  real(8), intent(inout) :: x(n)
  real(8), intent(out) :: y(n)
  y = twice(n, x)
  y(1) = effect(x(2))*y(2)
  y = y + el(x, y(n))
  call scale(x, y)
  call scale(y(1:2), x(2))
  y(3) = total*y(3)
end subroutine top
