! call made x=[1.5,-2,0.5] y=[0,0,0]
! Structures that are made of values, and one for all elements of an array.
module shapes
  implicit none
  type :: point
    real(8) :: at(2)
    real(8) :: weight
    integer :: tag
  end type point
  type :: pair
    type(point) :: first
    real(8) :: scale
  end type pair
contains
  subroutine made(x, y)
    real(8), intent(inout) :: x(3)
    real(8), intent(out) :: y(3)
    type(point) :: p
    type(pair) :: q
    real(8) :: w
    w = x(1)*x(2)
    p = point([w, x(3)], weight=sin(x(1)), tag=3)
    q = pair(p, w*x(3))
    y(1) = q%first%at(1)*q%first%at(2)
    y(2) = q%scale*q%first%weight
    p = point(x(1), x(2), 1)
    y(3) = p%at(1)*p%at(2)*p%weight
    x(2) = q%scale
  end subroutine made
end module shapes
