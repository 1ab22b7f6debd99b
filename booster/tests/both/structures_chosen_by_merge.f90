! call head x=[0.7,1.3,0.9,0.4] y=[0.5,0.2]
! MERGE chooses among structures of which one has no derivative; a component is a copy of a section.
module chosen_structures
  implicit none
  type :: pair
    real(8) :: a = 0.5d0
    real(8) :: b = 1.5d0
  end type
  type :: outer
    type(pair) :: of
    real(8) :: w = 2d0
  end type
  type :: row
    real(8), allocatable :: a(:)
  end type
  type :: box
    real(8) :: v(2)
    real(8) :: u
  end type
contains
  subroutine head(x, y)
    real(8), intent(in) :: x(4)
    real(8), intent(out) :: y(2)
    type(pair) :: p
    type(outer) :: o
    type(row) :: r
    type(box) :: b
    p = pair(x(1), x(2)*x(3))
    o = merge(outer(p, 1d0), outer(pair(3d0, 4d0), 2d0), x(1) < x(2))
    y(1) = o%of%a*o%of%b*o%w
    o = merge(outer(pair(3d0, 4d0), 2d0), outer(p, x(4)), x(1) < x(2))
    y(1) = y(1) + o%of%a*o%of%b*o%w*x(4)
    r%a = x*x
    b = box((r%a(::2)), x(2))
    y(2) = b%v(1)*b%v(2)*b%u
  end subroutine head
end module
