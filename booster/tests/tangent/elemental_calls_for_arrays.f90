! call p x=[0.5,1.5,2.5] n=3
! along x=[1,-1,0.5]
module m
  implicit none
  type point
    real(8) :: at(3) = 0
    real(8) :: w(0:2) = 1
  end type point
contains
  elemental function f(a, s) result(b)
    real(8), intent(in) :: a, s
    real(8) :: b
    b = a*a*s
  end function f
  elemental subroutine q(a, k, b)
    real(8), intent(in) :: a
    integer, intent(in) :: k
    real(8), intent(inout) :: b
    b = b + k*a*b
  end subroutine q
  subroutine p(x, n, y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y(4)
    real(8) :: a(0:n-1), b(n, 2), s
    real(8), allocatable :: c(:)
    integer :: k(n), i
    type(point) :: v
    k = [(i, i = 1, n)]
    a = f(x, 2d0)
    b(:, 1) = x*x
    b(:, 2) = x
    call q(x(1), k(2), b(2, 2))
    call q(a, 2*k, b(:, 1))
    call q(b(n:1:-1, 1), 3, b(:, 2))
    call q((b(1:2, 1)), 3, b(2:3, 1))
    b(2:3, 2) = f(b(1:2, 2), x(1))
    c = f(b(2:3, 1), x(1))
    c = f(c, x(2))
    b = f(b, x(2))
    s = 0.5d0
    v%at = f(x, s)
    v%w = x(3)
    y(1) = sum(f(a, x))
    y(2) = sum(b) + b(1, 2)*b(3, 1)
    y(3) = c(1)*c(2)
    y(4) = sum(v%at*v%w)
  end subroutine p
end module m
