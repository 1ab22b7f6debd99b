! call plain n=3 x=[1,2,0.5] y=0
! call deep n=3 x=[1,2,0.5] y=0
! call many n=3 x=[1,2,0.5] y=0
! call nested n=3 x=[1,2,0.5] y=0
! call itself n=3 x=[1,2,0.5] y=0
! Structures are assigned, recorded and differentiated component by component.
module shapes
  implicit none
  type point
    real(8) :: a
    real(8) :: b(2)
    integer :: k
  end type point
  type field
    real(8), allocatable :: v(:)
    real(8) :: s
    integer :: n = 0
  end type field
  type grid
    type(field), allocatable :: level(:)
    type(point) :: origin
  end type grid
contains
  subroutine plain(n, x, y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y
    type(point) :: p, q, r(2)
    p = point(x(1)*x(2), [x(2), x(3)], 1)
    q = p
    q%a = q%a*p%b(2)
    p = q
    p%a = p%a*p%a
    r = p
    r(2)%b = r(1)%b*r(2)%a
    r(1) = r(2)
    y = p%a*q%b(1) + r(1)%b(1)*r(2)%b(2) + r(1)%a
  end subroutine plain

  subroutine deep(n, x, y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y
    type(field) :: f, g
    allocate(f%v(0:n - 1))
    f%v = x*x
    f%s = f%v(0)*f%v(1)
    g = f
    g%v = g%v*f%s
    f = g
    f%v(1) = f%v(1)*f%v(2)
    deallocate(g%v)
    g%v = [f%v, f%s]
    y = sum(g%v)*f%v(1)
    f = g
    y = y*f%v(n)
  end subroutine deep

  subroutine many(n, x, y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y
    type(field) :: f(2), g(2:4)
    integer :: i
    do i = 1, 2
      allocate(f(i)%v(i))
      f(i)%v = x(i)*x(1)
      f(i)%s = x(i + 1)
    end do
    g(2:3) = f
    g(4) = f(1)
    f(2) = g(4)
    f(2)%v = f(2)%v*f(1)%v
    y = sum(f(2)%v)*g(3)%v(2) + g(2)%s*f(1)%s
    f = g(3)
    y = y*f(1)%v(2)*f(2)%s
  end subroutine many

  subroutine nested(n, x, y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y
    type(grid) :: g, h
    integer :: i
    allocate(g%level(2))
    do i = 1, 2
      allocate(g%level(i)%v(n))
      g%level(i)%v = x*i
      g%level(i)%s = x(i)
    end do
    g%origin%a = x(1)
    g%origin%b = x(2:3)
    h = g
    h%level(1)%v = h%level(1)%v*h%level(2)%s
    g = h
    y = sum(g%level(1)%v*h%level(2)%v)*g%origin%a
    deallocate(h%level)
    y = y*g%level(1)%v(2)
  end subroutine nested

  subroutine itself(n, x, y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y
    type(point) :: p(3)
    integer :: i, j
    do i = 1, 3
      p(i) = point(x(i), [x(i)*x(1), x(i)], i)
    end do
    j = n - 1
    p(1) = p(j)
    p(j) = p(j)
    p(1:2) = p(2:3)
    y = p(1)%a*p(2)%b(1) + p(3)%b(2)
  end subroutine itself
end module shapes
