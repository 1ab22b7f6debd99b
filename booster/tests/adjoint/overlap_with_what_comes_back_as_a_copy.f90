! call head x=[0.7,1.3,0.9,0.4,1.1] y=[0.5,0.2]
! Sections that lie apart in storage are passed as copies to arrays of known extent, and all of a copy comes back: beside
! an element that is only read, a row beside a column, a component, a variable that the procedure names itself.
module copies_that_come_back
  implicit none
  type :: part
    real(8) :: c = 1d0, d = 2d0
  end type
  real(8) :: gw(5)
contains
  subroutine scaled(a, b)
    real(8), intent(in) :: a
    real(8), intent(inout) :: b(3)
    b(1) = b(1)*a
  end subroutine
  subroutine rows(a, b)
    real(8), intent(in) :: a(2)
    real(8), intent(inout) :: b(3)
    b(3) = b(3)*a(1)*a(2)
  end subroutine
  subroutine by_name(b)
    real(8), intent(inout) :: b(3)
    b(1) = b(1)*gw(3)
    b(3) = b(3)*gw(3)*gw(2)
  end subroutine
  ! Besides, two of its arguments overlap.
  subroutine by_name_and_twice(a, b)
    real(8), intent(inout) :: a(1), b
    b = b*b + gw(5)
    a(1) = a(1)*gw(4)
  end subroutine
  subroutine head(x, y)
    real(8), intent(in) :: x(5)
    real(8), intent(inout) :: y(2)
    real(8) :: v(5), w(2, 3)
    type(part) :: s(3)
    v = x
    call scaled(v(3), v(1:5:2))
    w = reshape([x, x(1)*x(2)], [2, 3])
    call rows(w(2:1:-1, 2), w(2, 1:3))
    s%c = x(2:4)
    call scaled(s(2)%c, s%c)
    gw = x*x(1)
    call by_name(gw(1:5:2))
    call by_name_and_twice(gw(1:2), gw(2))
    y(1) = y(1)*v(1)*v(3) + w(2, 3)*w(1, 2) + s(1)%c*s(2)%c
    y(2) = y(2)*gw(1)*gw(2)*gw(3)*gw(5)
  end subroutine
end module
