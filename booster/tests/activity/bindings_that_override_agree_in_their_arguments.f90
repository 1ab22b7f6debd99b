! activity head=f independent=x dependent=y
module shapes
  type :: base
    real :: a = 1.0
  contains
    procedure :: area => base_area
  end type
  type, extends(base) :: child
    real :: b = 2.0
  contains
    procedure :: area => child_area
  end type
contains
  subroutine base_area(this, u, r)
    class(base), intent(in) :: this
    real, intent(in) :: u
    real, intent(out) :: r
    r = this%a
  end subroutine
  subroutine child_area(this, u, r)
    class(child), intent(in) :: this
    real, intent(in) :: u
    real, intent(out) :: r
    r = this%b*u
  end subroutine
end module

subroutine f(x, shape, y)
  use shapes
  real, intent(in) :: x
  class(base), intent(in) :: shape
  real, intent(out) :: y
  call shape%area(x, y)
end subroutine
