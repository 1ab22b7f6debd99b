! call head x=[0.7,1.3,0.9,0.4] y=[0.5,0.2]
! A structure constructor leaves components to their initial values that are structures themselves.
module left_to_values
  implicit none
  type :: inner
    real(8) :: v = 0.5d0
    integer :: k = 3
  end type
  type :: mid
    type(inner) :: a(2)
    complex(8) :: z = (1d0, 0d0)
  end type
  type :: e1
    real(8) :: v = 0.5d0
    type(mid) :: s
    real(8), allocatable :: w(:)
  end type
contains
  subroutine head(x, y)
    real(8), intent(in) :: x(4)
    real(8), intent(out) :: y(2)
    type(e1) :: d
    d = e1(v=x(1))
    d%s%a(2)%v = d%s%a(1)%v*x(2)
    y = d%v*x(2) + d%s%a(2)%v*real(d%s%z)*d%s%a(1)%v
    d = e1(v=x(3)*y(1))
    y(2) = d%v*d%s%a(2)%v
  end subroutine head
end module
