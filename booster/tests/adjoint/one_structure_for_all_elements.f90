! call head x=[0.7,1.3,0.9,0.4] y=[0.5,0.2]
! A structure for all elements of an array component in a constructor gets the adjoints of all of them.
module one_for_all
  implicit none
  type :: inner
    real(8) :: v = 0.5d0
  end type
  type :: e1
    real(8) :: v = 0.5d0
    type(inner) :: s(3)
  end type
contains
  subroutine head(x, y)
    real(8), intent(in) :: x(4)
    real(8), intent(out) :: y(2)
    class(e1), allocatable :: d
    allocate (d, source=e1(v=x(1), s=inner(v=x(2))))
    d%v = sin(d%v)
    y = d%v*x(2)*d%s(2)%v
  end subroutine head
end module
