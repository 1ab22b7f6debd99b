! directions OX4255
! Deferred bindings, overriding, extension, allocation with a type, SELECT TYPE.
module shapes
  implicit none
  type :: root
    real(8) :: scale = 1d0
  contains
    procedure :: grow
  end type
  type, abstract, extends(root) :: shape
  contains
    procedure(area_of), deferred :: area
  end type
  abstract interface
    function area_of(self, f) result(a)
      import :: shape
      class(shape), intent(in) :: self
      real(8), intent(in) :: f
      real(8) :: a
    end function
  end interface
  type, extends(shape) :: circle
    real(8) :: radius
  contains
    procedure :: area => circle_area
  end type
  type, extends(shape) :: box
    real(8) :: side(2)
  contains
    procedure :: area => box_area
    procedure :: grow => box_grow
  end type
  type, extends(box) :: tower
    real(8) :: height
  contains
    procedure :: area => tower_area
  end type
  type :: slot
    class(shape), allocatable :: it
  end type
contains
  subroutine grow(self, by)
    class(root), intent(inout) :: self
    real(8), intent(in) :: by
    self%scale = self%scale*by
  end subroutine
  function circle_area(self, f) result(a)
    class(circle), intent(in) :: self
    real(8), intent(in) :: f
    real(8) :: a
    a = f*self%scale*3.14d0*self%radius**2
  end function
  function box_area(self, f) result(a)
    class(box), intent(in) :: self
    real(8), intent(in) :: f
    real(8) :: a
    a = f*self%scale*product(self%side)
  end function
  function tower_area(self, f) result(a)
    class(tower), intent(in) :: self
    real(8), intent(in) :: f
    real(8) :: a
    a = self%box%area(f) + self%height*sum(self%side)
  end function
  subroutine box_grow(self, by)
    class(box), intent(inout) :: self
    real(8), intent(in) :: by
    call self%root%grow(by)
    self%side(1) = self%side(1) + by*by
  end subroutine
  subroutine make(kind, x, made)
    integer, intent(in) :: kind
    real(8), intent(in) :: x(:)
    class(shape), allocatable, intent(out) :: made
    select case (kind)
    case (1)
      allocate(circle :: made)
    case (2)
      allocate(box :: made)
    case default
      allocate(tower :: made)
    end select
    select type (made)
    type is (circle)
      made%radius = x(1)*x(2)
    class is (box)
      made%side = x(2:3)
    end select
    select type (made)
    type is (tower)
      made%height = exp(x(1))
    end select
  end subroutine
end module

subroutine head(n, x, y)
  use shapes
  implicit none
  integer, intent(in) :: n
  real(8), intent(in) :: x(n)
  real(8), intent(out) :: y(n)
  type(slot) :: slots(3)
  integer :: i
  do i = 1, 3
    call make(i, x, slots(i)%it)
    call slots(i)%it%grow(x(i))
  end do
  do i = 1, 3
    y(i) = slots(i)%it%area(x(1)) + 1d0
  end do
end subroutine
