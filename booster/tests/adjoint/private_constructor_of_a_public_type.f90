! call drive x=[0.3,0.5,0.7] y=0.2
! The generic name of the constructor has the access of the type; the function behind it is PRIVATE.
module private_constructor_of_a_public_type
  implicit none
  private
  public :: drive
  type, public :: series
    real(8), allocatable :: t(:)
  end type series
  interface series
    module procedure new_series
  end interface series
contains
  function new_series(t) result(s)
    real(8), intent(in) :: t(:)
    type(series) :: s
    allocate (s%t, source=t)
  end function new_series

  function plus(a, b) result(c)
    type(series), intent(in) :: a, b
    type(series) :: c
    c = series(a%t + b%t)
  end function plus

  subroutine drive(x, y)
    real(8), intent(inout) :: x(3), y
    type(series) :: s
    s = plus(series(x), series(x**2))
    y = y*sum(s%t**2)
  end subroutine drive
end module private_constructor_of_a_public_type
