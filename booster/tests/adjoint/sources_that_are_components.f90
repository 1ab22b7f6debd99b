! call drive x=[0.3,0.5,0.7] y=0.2
! The adjoint of SOURCE= asks for two types at once: the names that it gives the objects differ, and are none
! that the subscripts have.
module sources_that_are_components
  implicit none
  type :: law
    real(8) :: c = 1
  end type law
  type, extends(law) :: hooke
    real(8) :: k = 2
  end type hooke
  type :: element
    class(law), allocatable :: l, e
  end type element
contains
  subroutine drive(x, y)
    real(8), intent(inout) :: x(3), y
    type(element) :: a(2), b(2)
    integer :: e
    do e = 1, 2
      allocate (a(e)%l, source=hooke(c=x(1), k=x(e + 1)))
      allocate (a(e)%e, source=a(e)%l)
      allocate (b(e)%l, source=a(e)%l)
      allocate (b(e)%e, source=a(e)%e)
    end do
    do e = 1, 2
      select type (l => b(e)%e)
      type is (hooke)
        y = y + l%k**2*l%c*a(e)%l%c
        l%k = y
      end select
      y = y*b(e)%e%c + b(e)%l%c**2
    end do
    x(1) = x(1)*y
  end subroutine drive
end module sources_that_are_components
