! call p x=[1.5,0.5] y=0
! call defaults x=[1.5,0.5] y=0
! call several x=[1.5,0.5] y=0
! A structure that is one of the values of a constructor is active there, whatever the other components are.
module constructors_of_structures
  implicit none
  type in
    real(8) :: v
  end type in
  type out
    type(in) :: q
    real(8) :: s = 2d0
  end type out
contains
  subroutine p(x, y)
    real(8), intent(in) :: x(2)
    real(8), intent(out) :: y
    type(in) :: o
    type(out) :: w
    o%v = x(1)
    w = out(o, 1d0)
    y = w%q%v*x(2)
  end subroutine p

  subroutine defaults(x, y)
    real(8), intent(in) :: x(2)
    real(8), intent(out) :: y
    type(in) :: o
    type(out) :: w
    o%v = x(1)*x(2)
    w = out(q=(o))
    y = w%q%v*w%s
  end subroutine defaults

  subroutine several(x, y)
    real(8), intent(in) :: x(2)
    real(8), intent(out) :: y
    type(in) :: o
    type(out) :: w(2)
    o%v = x(1)
    w = out(o, 1d0)
    w(2) = out(o, 3d0)
    y = w(1)%q%v*x(2)*w(2)%q%v*w(2)%s
  end subroutine several
end module constructors_of_structures
