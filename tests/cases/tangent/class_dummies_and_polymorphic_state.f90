! directions OX4255
! Class dummies with SELECT TYPE, class pointers, assignment of polymorphic variables, dummy procedures that dispatch.
module models
  implicit none
  type :: model
    real(8) :: a = 1d0
  contains
    procedure :: value => base_value
    procedure :: total
  end type
  type, extends(model) :: wide
    real(8), allocatable :: w(:)
  contains
    procedure :: value => wide_value
  end type
contains
  function base_value(self, f, x) result(v)
    class(model), intent(in) :: self
    interface
      function f(x)
        real(8), intent(in) :: x
        real(8) :: f
      end function
    end interface
    real(8), intent(in) :: x
    real(8) :: v
    v = self%a*f(x)
  end function
  function wide_value(self, f, x) result(v)
    class(wide), intent(in) :: self
    interface
      function f(x)
        real(8), intent(in) :: x
        real(8) :: f
      end function
    end interface
    real(8), intent(in) :: x
    real(8) :: v
    v = sum(self%w)*f(self%model%value(f, x))
  end function
  function total(self, x) result(t)
    class(model), intent(in) :: self
    real(8), intent(in) :: x(:)
    real(8) :: t
    integer :: i
    t = 0d0
    do i = 1, size(x)
      t = t + self%value(square, x(i))
    end do
  end function
  function square(x)
    real(8), intent(in) :: x
    real(8) :: square
    square = x*x
  end function
  function sine(x)
    real(8), intent(in) :: x
    real(8) :: sine
    sine = sin(x)
  end function
  subroutine change(m, x)
    class(model), intent(inout) :: m
    real(8), intent(in) :: x
    select type (m)
    type is (model)
      m%a = x*m%a
    class is (wide)
      m%w = m%w*x
    end select
  end subroutine
end module
subroutine head(n, x, y)
  use models
  implicit none
  integer, intent(in) :: n
  real(8), intent(in) :: x(n)
  real(8), intent(out) :: y(n)
  type(model), target :: m
  type(wide), target :: w
  class(model), pointer :: p
  class(model), allocatable :: c
  m%a = x(1)
  w%a = x(2)
  w%w = x**2
  p => m
  y(1) = p%total(x)
  p => w
  call change(p, x(3))
  y(2) = p%total(x) + p%value(sine, x(2))
  allocate(c, source=p)
  call change(c, x(1))
  y(3) = c%value(sine, x(3)) + m%value(square, x(1))
end subroutine
