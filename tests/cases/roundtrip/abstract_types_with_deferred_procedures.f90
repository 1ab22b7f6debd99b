module functions
  implicit none
  type, abstract :: function_type
  contains
    procedure(value_at), deferred :: at
    procedure, non_overridable :: slope
  end type function_type
  abstract interface
    pure real function value_at(self, x)
      import :: function_type
      class(function_type), intent(in) :: self
      real, intent(in) :: x
    end function value_at
  end interface
  type, extends(function_type) :: parabola
    real :: a
  contains
    procedure :: at => parabola_at
    final :: forget
  end type parabola
  integer :: forgotten = 0
contains
  pure real function parabola_at(self, x)
    class(parabola), intent(in) :: self
    real, intent(in) :: x
    parabola_at = self%a*x**2
  end function parabola_at
  pure real function slope(self, x, h)
    class(function_type), intent(in) :: self
    real, intent(in) :: x, h
    slope = (self%at(x + h) - self%at(x - h))/(2.0*h)
  end function slope
  subroutine forget(self)
    type(parabola), intent(inout) :: self
    forgotten = forgotten + 1
    self%a = 0.0
  end subroutine forget
end module functions

program abstracts
  use functions
  implicit none
  class(function_type), allocatable :: f
  allocate(f, source=parabola(a=2.0))
  print *, f%at(3.0), f%slope(1.0, 0.5)
  deallocate(f)
  print *, forgotten > 0
end program abstracts
