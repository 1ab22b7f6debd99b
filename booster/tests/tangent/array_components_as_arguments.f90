! call p x=[0.5,1.5,2.5] n=2
! along x=[1,-1,0.5]
module m
  implicit none
  type part
    real(8) :: z = 0
  end type part
  type point
    real(8) :: at(3) = 0
    real(8), allocatable :: w(:, :)
    type(part) :: two(2)
  end type point
contains
  subroutine scale(a, s)
    real(8), intent(inout) :: a(:)
    real(8), intent(in) :: s
    a = a*s
  end subroutine scale
  subroutine total(n, a, s, k)
    integer, intent(in) :: n
    real(8), intent(in) :: a(n)
    real(8), intent(out) :: s
    integer, intent(inout) :: k
    s = sum(a)*a(1)
    k = k + 1
  end subroutine total
  subroutine both(parts, s)
    type(part), intent(inout) :: parts(:)
    real(8), intent(in) :: s
    parts(1)%z = s
    parts(2)%z = s*s
  end subroutine both
  function cube(a) result(b)
    real(8), intent(in) :: a(:)
    real(8) :: b(size(a))
    b = a*a*a
  end function cube
  subroutine p(x, n, y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(3)
    real(8), intent(out) :: y(4)
    type(point) :: v, l(3)
    integer :: k
    v%at = x
    allocate(l(n)%w(2, 0:1))
    l(n)%w = x(1)
    call scale(v%at, x(2))
    call scale(v%at(1:2), x(3))
    call scale(l(n)%w(1, :), x(2))
    k = n
    l(k)%at = x*x
    call total(3, l(k)%at, y(1), k)
    call total(2, l(n)%at(2), y(2), k)
    call total(4, l(n)%w, y(3), k)
    call both(v%two, x(1))
    l(1)%at = cube(l(n)%at)
    y(4) = sum(v%at) + v%two(1)%z*v%two(2)%z + l(1)%at(3)
  end subroutine p
end module m
