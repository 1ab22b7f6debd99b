! directions 4
module m
  implicit none
  type t
    real :: v
  end type t
  real, allocatable :: a(:)
contains
  subroutine p(n, x, y, z, v, q)
    integer, intent(in) :: n
    real, intent(in) :: x(n), y(:)
    real, intent(inout) :: z(*)
    type(t), intent(inout) :: v
    real, pointer, intent(in) :: q
    z(1:n) = x + y(1) + v%v + q
    v%v = a(1)
  end subroutine p
end module m
