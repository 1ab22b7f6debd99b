! call drive x=[0.3,0.5,0.7] y=1
! As `sources_that_are_components`, with arrays.
module sources_that_are_array_components
  implicit none
  type :: law
    real(8) :: c = 1
  end type law
  type, extends(law) :: hooke
    real(8) :: k = 2
  end type hooke
  type :: element
    class(law), allocatable :: l(:)
  end type element
contains
  subroutine drive(x, y)
    real(8), intent(inout) :: x(3), y
    type(element) :: a, b
    integer :: i
    allocate (hooke :: a%l(3))
    a%l%c = x
    allocate (b%l(3), source=a%l)
    do i = 1, 3
      y = y*b%l(i)%c**2 + a%l(i)%c
    end do
  end subroutine drive
end module sources_that_are_array_components
