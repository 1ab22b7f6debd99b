! A name that is public in its module and private in a module that uses it; a generic binding in two statements.
module kinds
  implicit none
  private
  integer, parameter, public :: wp = kind(1.0d0)
end module kinds

module numbers
  use kinds
  implicit none
  private :: wp
  integer, parameter, public :: number_kind = wp
  type, public :: pair
    real(wp) :: a = 1.0_wp, b = 2.0_wp
  contains
    generic, public :: scale => scale_real
    procedure, private :: scale_real
    generic, public :: scale => scale_integer
    procedure, private :: scale_integer
  end type pair
contains
  subroutine scale_real(self, factor)
    class(pair), intent(inout) :: self
    real(wp), intent(in) :: factor
    self%a = self%a*factor
    self%b = self%b*factor
  end subroutine scale_real

  subroutine scale_integer(self, factor)
    class(pair), intent(inout) :: self
    integer, intent(in) :: factor
    call self%scale(real(factor, wp))
  end subroutine scale_integer
end module numbers

program main
  use kinds, only: wp
  use numbers
  implicit none
  type(pair) :: p
  call p%scale(3)
  call p%scale(0.5_wp)
  print *, p%a, p%b, number_kind == wp
end program main
