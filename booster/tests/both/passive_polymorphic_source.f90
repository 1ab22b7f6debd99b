! call head x=[0.7,1.3,0.9,0.4] y=[0.5,0.2]
! SOURCE= is a passive polymorphic object: the derivative gets its type from the original, and is zero.
module passive_source
  implicit none
  type, abstract :: base
    real(8) :: v = 0.5d0
  end type base
  type, extends(base) :: e1
    real(8) :: r = 0.5d0
  end type e1
contains
  subroutine head(x, y)
    real(8), intent(in) :: x(4)
    real(8), intent(out) :: y(2)
    class(base), allocatable :: a, b
    allocate (e1 :: b)
    b%v = 0.3d0
    allocate (a, source=b)
    a%v = x(1)*a%v
    y(1) = a%v*x(3)
    y(2) = x(2)
  end subroutine head
end module
