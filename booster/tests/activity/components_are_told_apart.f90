! activity head=f independent=x dependent=y
! run x=2.0
module shapes
  type :: pair
    real :: a, b
    integer :: n
  end type
  type :: nest
    type(pair) :: inner
    real :: c(3)
  end type
end module

subroutine f(x, y)
  use shapes
  real, intent(in) :: x
  real, intent(out) :: y
  type(nest) :: v, w, idle
  v%inner%a = x
  v%inner%b = 1.0
  v%inner%n = 2
  v%c = 0.0
  w = v
  idle = nest(pair(1.0, 2.0, 3), 4.0)
  ! Only the component a carries a derivative.
  y = w%inner%a*w%inner%b + sum(w%c)*idle%inner%a
end subroutine
