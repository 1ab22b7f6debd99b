module m
  implicit none
  private
  public :: run, set
  real :: state
  type t
    real :: v
  end type t
  real, public, protected :: seen = 0.0
contains
  subroutine run(x, y)
    real, intent(in) :: x
    real, intent(out) :: y
    type(t) :: a
    a%v = x
    y = a%v + state
  end subroutine run
  subroutine set(x)
    real, intent(in) :: x
    seen = x
  end subroutine set
end module m
