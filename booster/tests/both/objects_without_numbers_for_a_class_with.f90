! call plain_and_not x=[0.4,0.7] y=0
! An object without numbers is passed for an object of its class, of which an extension has some: what is
! passed for its derivative is an object of its type.
module numberless
  implicit none
  type :: shape
    integer :: n = 2
  contains
    procedure :: grow
  end type shape
  type, extends(shape) :: scaled
    real(8) :: a = 1
  end type scaled
contains
  subroutine grow(me, y)
    class(shape), intent(inout) :: me
    real(8), intent(inout) :: y
    me%n = me%n + 1
    y = sin(y)*me%n
    select type (me)
    type is (scaled)
      y = y*me%a
      me%a = y*me%a
    end select
  end subroutine grow
  subroutine plain_and_not(x, y)
    real(8), intent(in) :: x(2)
    real(8), intent(out) :: y
    type(shape) :: s
    type(scaled) :: e
    integer :: i
    y = x(1)
    e%a = x(2)
    do i = 1, 2
      call s%grow(y)
      call e%grow(y)
    end do
    y = y + s%n
  end subroutine plain_and_not
end module numberless
