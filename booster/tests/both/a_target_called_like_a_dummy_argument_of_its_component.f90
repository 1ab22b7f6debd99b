! call start_and_run x=[0.4,-0.3,0.7] y=[0,0]
! What a component points to is called like a dummy argument of the component's interface: where it is
! chosen it has another name.
module clashing_library
  implicit none
  type :: machine
    integer :: steps = 3
    procedure(slope), pointer :: fcn => null()
  contains
    procedure :: run
  end type machine
  type, extends(machine) :: damped
    real(8) :: a = 0.2d0
  end type damped
  abstract interface
    subroutine slope(me, y, f)
      import :: machine
      class(machine), intent(inout) :: me
      real(8), intent(in) :: y(2)
      real(8), intent(out) :: f(2)
    end subroutine slope
  end interface
contains
  subroutine run(me, y)
    class(machine), intent(inout) :: me
    real(8), intent(inout) :: y(2)
    real(8) :: k(2)
    integer :: i
    do i = 1, me%steps
      call me%fcn(y, k)
      y = y + 0.1d0*k
    end do
  end subroutine run
end module clashing_library

module clashing_user
  use clashing_library
  implicit none
contains
  subroutine f(me, y, r)
    class(machine), intent(inout) :: me
    real(8), intent(in) :: y(2)
    real(8), intent(out) :: r(2)
    r = 0
    select type (me)
    class is (damped)
      r(1) = y(2)
      r(2) = me%a*(1 - y(1)**2)*y(2) - y(1)
    end select
  end subroutine f
end module clashing_user

subroutine start_and_run(x, y)
  use clashing_library, only: damped
  use clashing_user, only: f
  implicit none
  real(8), intent(in) :: x(3)
  real(8), intent(out) :: y(2)
  type(damped) :: s
  s%fcn => f
  s%a = x(3)
  y = x(1:2)
  call s%run(y)
end subroutine start_and_run
