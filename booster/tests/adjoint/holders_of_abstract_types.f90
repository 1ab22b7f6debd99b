! call drive x=[0.3,0.5] y=1
! The abstract type has no numbers, its extensions have: what holds objects of its class has a derivative.
module holders_of_abstract_types
  implicit none
  type, abstract :: expression
  contains
    procedure(value_of), deferred :: ev
  end type expression
  abstract interface
    real(8) function value_of(self)
      import :: expression
      class(expression), intent(in) :: self
    end function value_of
  end interface
  type, extends(expression) :: constant
    real(8) :: c = 1
  contains
    procedure :: ev => constant_value
  end type constant
  type :: holder
    class(expression), allocatable :: e
  end type holder
contains
  real(8) function constant_value(self)
    class(constant), intent(in) :: self
    constant_value = self%c**2
  end function constant_value

  subroutine drive(x, y)
    real(8), intent(inout) :: x(2), y
    type(holder) :: p, q
    allocate (p%e, source=constant(x(1)))
    allocate (q%e, source=constant(x(2)*y))
    y = y*p%e%ev() + q%e%ev()
  end subroutine drive
end module holders_of_abstract_types
