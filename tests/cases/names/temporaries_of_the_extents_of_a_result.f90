! The variable that holds what a function returns has the extents of the result: constants, extents of arguments,
! integers that are passed.
module shapes
  implicit none
  integer, parameter, private :: three = 3
contains
  function cross(a, b) result(c)
    real(8), intent(in) :: a(3), b(3)
    real(8) :: c(0:three - 1)
    c(0) = a(2)*b(3) - a(3)*b(2)
    c(1) = a(3)*b(1) - a(1)*b(3)
    c(2) = a(1)*b(2) - a(2)*b(1)
  end function
  function outer(a, b) result(c)
    real(8), intent(in) :: a(:), b(:)
    real(8) :: c(size(a), size(b, 1))
    integer :: i
    do i = 1, size(b)
      c(:, i) = a*b(i)**2
    end do
  end function
  function powers(x, n) result(r)
    real(8), intent(in) :: x
    integer, intent(in) :: n
    real(8) :: r(n)
    integer :: i
    r = [(x**i, i=1, n)]
  end function
  subroutine inner(m, x, f, y)
    integer, intent(in) :: m
    real(8), intent(in) :: x(:), f(:, :)
    real(8), intent(out) :: y
    integer :: i, k
    y = 0
    do i = 1, size(f, 2)
      y = y + sum(cross(x(1:3), f(:, i))*sin(x(1:3)))
      y = y + sum(outer(x, f(:, i))*f(1, i)) + sum(powers(x(2), m)*cos(x(i)))
      k = i + 1
      y = y*sum(powers(x(1), k)*x(2)) + sum(outer(x, x(1:2))*outer(x, x(2:3)))
    end do
  end subroutine
end module

subroutine p(x, y)
  use shapes
  implicit none
  real(8), intent(inout) :: x(4)
  real(8), intent(out) :: y
  real(8) :: f(3, 2), z
  f(:, 1) = x(1:3)
  f(:, 2) = x(2:4)**2
  call inner(2, x, f, y)
  call inner(3, x(1:3), f, z)
  y = y*z
end subroutine
