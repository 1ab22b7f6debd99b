! call unreached_host x=0.4 y=0
! A component is associated with an internal procedure by a procedure that the head never reaches: it cannot
! mean that.
module unreached_library
  implicit none
  type :: solver
    procedure(residual), pointer :: f => null()
  end type solver
  abstract interface
    subroutine residual(me, x, r)
      import :: solver
      class(solver), intent(inout) :: me
      real(8), intent(in) :: x
      real(8), intent(out) :: r
    end subroutine residual
  end interface
contains
  subroutine solve(me, x)
    class(solver), intent(inout) :: me
    real(8), intent(inout) :: x
    real(8) :: r
    integer :: i
    do i = 1, 3
      call me%f(x, r)
      x = x - 0.2d0*r
    end do
  end subroutine solve
  subroutine by_value(a, x)
    real(8), intent(in) :: a
    real(8), intent(inout) :: x
    type(solver) :: s
    s%f => wrap
    call solve(s, x)
  contains
    subroutine wrap(me, x, r)
      class(solver), intent(inout) :: me
      real(8), intent(in) :: x
      real(8), intent(out) :: r
      r = a*x
      if (.not. associated(me%f)) r = 0
    end subroutine wrap
  end subroutine by_value
end module unreached_library

module unreached_model
  use unreached_library
  implicit none
  type, extends(solver) :: mine
    real(8) :: a = 0
  end type mine
contains
  subroutine h(me, x, r)
    class(solver), intent(inout) :: me
    real(8), intent(in) :: x
    real(8), intent(out) :: r
    r = 0
    select type (me)
    class is (mine)
      r = x*exp(x) - me%a
    end select
  end subroutine h
end module unreached_model

subroutine unreached_host(x, y)
  use unreached_library, only: solve
  use unreached_model, only: mine, h
  implicit none
  real(8), intent(in) :: x
  real(8), intent(out) :: y
!$openad independent(x)
!$openad dependent(y)
  type(mine) :: s
  s%a = x
  s%f => h
  y = 0.5d0
  call solve(s, y)
end subroutine unreached_host
