module shapes
  implicit none
  type, abstract :: shape
  contains
    procedure(area_of), deferred :: area
  end type shape
  abstract interface
    real function area_of(self)
      import shape
      class(shape), intent(in) :: self
    end function area_of
  end interface
  type, extends(shape) :: square
    real :: side = 1.0
  contains
    procedure :: area => square_area
  end type square
  type, extends(shape) :: disc
    real :: r = 1.0
  contains
    procedure :: area => disc_area
  end type disc
  type :: holder
    class(shape), allocatable :: item
  end type holder
contains
  real function square_area(self)
    class(square), intent(in) :: self
    square_area = self%side**2
  end function square_area
  real function disc_area(self)
    class(disc), intent(in) :: self
    disc_area = 3.0*self%r**2
  end function disc_area
end module shapes

program containers
  use shapes
  implicit none
  type(holder) :: box(3)
  class(shape), pointer :: p
  type(square), target :: s
  integer :: i
  real :: total
  allocate(box(1)%item, source=square(2.0))
  allocate(disc :: box(2)%item)
  allocate(box(3)%item, source=square(side=0.5))
  total = 0.0
  do i = 1, size(box)
    total = total + box(i)%item%area()
    select type (item => box(i)%item)
    class is (square)
      item%side = item%side + 1.0
    type is (disc)
      item%r = 2.0
    end select
  end do
  p => s
  print *, total, box(1)%item%area(), box(2)%item%area(), p%area()
end program containers
