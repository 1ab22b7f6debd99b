! A `chain` holds objects of the class that it extends, so perhaps chains: what must be recorded has no end.
module refused_objects_that_hold_their_class
  implicit none
  type :: stage
    real(8) :: state(3) = 0
  end type stage
  type :: link
    class(stage), allocatable :: s
  end type link
  type, extends(stage) :: chain
    type(link) :: links(2)
  end type chain
contains
  subroutine drive(any, x, y)
    class(stage), allocatable, intent(inout) :: any
    real(8), intent(inout) :: x(3), y
    y = y*any%state(1)
    deallocate (any)
    allocate (any, source=stage(x))
    y = y*any%state(1)
  end subroutine drive
end module refused_objects_that_hold_their_class
