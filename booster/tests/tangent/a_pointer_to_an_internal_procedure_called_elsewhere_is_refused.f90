! A component may point to an internal procedure, which has no name where it is called.
module internal_library
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
end module internal_library

subroutine internal_target(x, y)
  use internal_library, only: by_value
  implicit none
  real(8), intent(in) :: x
  real(8), intent(out) :: y
  y = 0.5d0
  call by_value(x, y)
end subroutine internal_target
