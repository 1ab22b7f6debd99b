! A section, an element or a component of elements is passed: what is not passed keeps its derivative.
module parts
  implicit none
  type grid
    real(8), allocatable :: u(:, :), line(:)
    real(8) :: fixed(3, 2) = 0.5d0
    complex(8) :: c(2) = (0.5d0, 0.25d0)
  end type grid
contains
  subroutine set(a, b)
    real(8), intent(in) :: a(:)
    real(8), intent(out) :: b(:)
    b = a*a
  end subroutine set
  subroutine set_three(a, b)
    real(8), intent(in) :: a(3)
    real(8), intent(out) :: b(3)
    b = a**3
  end subroutine set_three
  subroutine number(a, b)
    real(8), intent(in) :: a
    real(8), intent(out) :: b
    b = sin(a)
  end subroutine number
  subroutine change(a, b)
    real(8), intent(in) :: a
    real(8), intent(inout) :: b(:, :)
    b = a*b
    b(1, :) = a*a
  end subroutine change
  subroutine p(x, y)
    real(8), intent(in) :: x(3)
    real(8), intent(out) :: y
    type(grid) :: g, many(3)
    integer :: i
    allocate (g%u(3, 4), g%line(0:4))
    g%u = x(1)
    g%line = x(2)
    g%fixed = x(3)
    g%c = cmplx(x(1), x(2), 8)
    do i = 1, 3
      many(i)%fixed = x(i)
    end do
    call set(x, g%u(:, 2))
    call set_three(x, g%u(:, 3))
    call set_three(g%u(:, 2), g%fixed(:, 1))
    call set(x(1:2), g%line(0:4:3))
    call set(g%fixed(1, :), g%fixed(2, :))
    call set(x, many%fixed(2, 1))
    call number(x(1), g%u(2, 4))
    call number(x(2), g%fixed(3, 2))
    call number(x(3), g%line(1))
    call number(x(1), many(2)%fixed(1, 2))
    call number(x(2), g%c(2)%im)
    call change(x(2), g%u(2:3, 1:4:3))
    call change(x(3), g%fixed)
    y = sum(g%u**2) + sum(g%line**2) + sum(g%fixed**2) + aimag(product(g%c))
    do i = 1, 3
      y = y + i*sum(many(i)%fixed**2)
    end do
  end subroutine p
end module parts
