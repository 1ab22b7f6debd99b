! call head x=[0.7,1.3,0.9,0.4] y=[0.5,0.2]
! A quotient of one component is assigned to elements of another: its adjoint does not read the result,
! which is overwritten and not recorded.
module quotients
  implicit none
  type :: e1
    real(8) :: v, a(3) = 0.4d0
  end type e1
contains
  subroutine head(x, y)
    real(8), intent(in) :: x(4)
    real(8), intent(out) :: y(2)
    type(e1) :: z
    z%v = x(1)
    z%a(1:3:2) = z%v/(1 + x(2:3)**2)
    z%v = z%v + sin(x(4))
    z%a(1) = 0.85d0*sin(x(4)) + 0.22d0*z%a(1)
    y = z%a(1)*z%v
  end subroutine head
end module
