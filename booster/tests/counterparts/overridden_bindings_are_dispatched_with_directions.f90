! directions 2
module base
  implicit none
  type, abstract :: shape
    real :: scale = 1.0
  contains
    procedure(area_of), deferred :: area
    procedure :: grow => grow_shape
  end type shape
  abstract interface
    real function area_of(self, x, n)
      import :: shape
      class(shape), intent(in) :: self
      integer, intent(in) :: n
      real, intent(in) :: x(n)
    end function area_of
  end interface
contains
  subroutine grow_shape(self, by)
    class(shape), intent(inout) :: self
    real, intent(in) :: by
    self%scale = self%scale*by
  end subroutine grow_shape
end module base
module circles
  use base
  implicit none
  type, extends(shape) :: circle
    real :: r
  contains
    procedure :: area => area_circle
  end type circle
  type, extends(circle) :: ring
    real :: inner
  contains
    procedure :: area => area_ring
    procedure :: grow => grow_ring
  end type ring
contains
  real function area_circle(self, x, n)
    class(circle), intent(in) :: self
    integer, intent(in) :: n
    real, intent(in) :: x(n)
    area_circle = self%r**2*self%scale + x(n)
  end function area_circle
  real function area_ring(self, x, n)
    class(ring), intent(in) :: self
    integer, intent(in) :: n
    real, intent(in) :: x(n)
    area_ring = (self%r**2 - self%inner**2)*self%scale + x(1)
  end function area_ring
  subroutine grow_ring(self, by)
    class(ring), intent(inout) :: self
    real, intent(in) :: by
    self%inner = self%inner*by
  end subroutine grow_ring
end module circles
subroutine top(s, x, y)
  use circles, only: shape
  implicit none
  class(shape), intent(inout) :: s
  real, intent(in) :: x(2)
  real, intent(out) :: y
  call s%grow(x(1))
  y = s%area(x, 2)
end subroutine top
