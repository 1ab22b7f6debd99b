! call take_steps x=[0.4,0.7] y=0
! The binding of a library's class is chosen by the types that the program has, of which some hold no numbers,
! and calls a component that points to what needs those of an extension elsewhere.
module step_library
  implicit none
  type, abstract :: ode
    procedure(rate), pointer :: f => null()
  contains
    procedure(step), deferred :: take
  end type ode
  type, extends(ode) :: euler
  contains
    procedure :: take
  end type euler
  abstract interface
    subroutine rate(me, y, r)
      import :: ode
      class(ode), intent(inout) :: me
      real(8), intent(in) :: y
      real(8), intent(out) :: r
    end subroutine rate
    subroutine step(me, y)
      import :: ode
      class(ode), intent(inout) :: me
      real(8), intent(inout) :: y
    end subroutine step
  end interface
contains
  subroutine take(me, y)
    class(euler), intent(inout) :: me
    real(8), intent(inout) :: y
    real(8) :: k
    call me%f(y, k)
    y = y + 0.1d0*k
  end subroutine take
  subroutine run(me, y)
    class(ode), intent(inout) :: me
    real(8), intent(inout) :: y
    call me%take(y)
    call me%take(y)
  end subroutine run
end module step_library

module step_user
  use step_library
  implicit none
  type, extends(euler) :: mine
    real(8) :: a = 0.3d0
  end type mine
contains
  subroutine swing(me, y, r)
    class(ode), intent(inout) :: me
    real(8), intent(in) :: y
    real(8), intent(out) :: r
    r = cos(y)
    select type (me)
    class is (mine)
      r = me%a*sin(y)
    end select
  end subroutine swing
end module step_user

subroutine take_steps(x, y)
  use step_library, only: euler, run
  use step_user, only: mine, swing
  implicit none
  real(8), intent(in) :: x(2)
  real(8), intent(out) :: y
  type(mine) :: s
  type(euler) :: t
  s%f => swing
  t%f => swing
  s%a = x(2)
  y = x(1)
  call run(s, y)
  call run(t, y)
end subroutine take_steps
