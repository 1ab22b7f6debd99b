! call head x=[0.7,1.3,0.9,0.4] y=[0.5,0.2]
! A pointer may point to several components of one object: where that is overwritten as a whole, all of them
! are recorded.
module pointed_components
  implicit none
  type :: e2
    real(8) :: v = 0.32d0
    real(8) :: a(3) = 0.6d0
    real(8) :: f2(3) = [0.49d0, 0.80d0, 0.55d0]
  end type e2
contains
  real(8) function total(self, u) result(r)
    type(e2), intent(in) :: self
    real(8), intent(in) :: u
    r = (0.3d0*self%v + 0.37d0*sum(self%f2**2))*cos(u)
  end function
  subroutine head(x, y)
    real(8), intent(in) :: x(4)
    real(8), intent(inout) :: y(2)
    type(e2), target :: t1
    type(e2), pointer :: pt
    real(8), pointer :: qp(:)
    real(8) :: w1
    type(e2) :: tm1
    pt => t1
    qp => t1%a
    qp(2) = x(1)
    qp => t1%f2(3:1:-1)
    qp = [exp(-x(2)*x(1)), 0.3d0, x(4)]
    w1 = total(t1, x(3))
    pt = tm1
    y(1) = x(1)*t1%a(2)
    y(2) = w1*t1%v
  end subroutine
end module
