! A parent component goes to a polymorphic dummy argument.
module parents
  implicit none
  type basic
    real(8) :: v = 0.5d0
  end type basic
  type, extends(basic) :: full
    real(8) :: w(2) = 0.25d0
  end type full
contains
  subroutine scale(x, b)
    real(8), intent(in) :: x
    class(basic), intent(inout) :: b
    b%v = b%v*x + x**2
  end subroutine scale
  subroutine p(x, y)
    real(8), intent(in) :: x(3)
    real(8), intent(out) :: y
    type(full) :: f, g(2)
    f%v = x(1)
    f%w = x(2:3)
    g(1)%w = x(1)
    call scale(x(2), f%basic)
    call scale(x(3), f)
    call scale(x(1), g(2)%basic)
    y = f%v*f%w(1) + g(2)%v*g(1)%w(2) + f%w(2)
  end subroutine p
end module parents
