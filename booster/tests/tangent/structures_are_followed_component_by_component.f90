! call p x=[0.5,1.5,2.5]
! along x=[1,-1,0.5]
module shapes
  implicit none
  type point
    real(8) :: at(2) = 1
    integer :: tag = 3
  end type point
  type body
    type(point) :: centre
    real(8) :: mass
  end type body
contains
  subroutine p(x, y)
    real(8), intent(in) :: x(3)
    real(8), intent(out) :: y(4)
    type(body) :: a, b, c(2)
    a%centre%at = x(1:2)
    a%mass = x(3)*a%centre%at(1)
    b = a
    b%centre = point([x(2), 2d0], 7)
    c = b
    c(2) = body(point(tag=2), 4d0)
    c(1)%mass = c(1)%mass*x(1)
    y(1) = b%mass*b%centre%at(1)
    y(2) = c(1)%mass + c(2)%mass*c(2)%centre%at(2)
    y(3) = a%centre%tag*a%mass
    call moved(a%centre, y(4))
  end subroutine p
  subroutine moved(q, z)
    type(point), intent(inout) :: q
    real(8), intent(out) :: z
    q%at = q%at*q%at(1)
    z = q%at(1)*q%at(2)
  end subroutine moved
end module shapes
