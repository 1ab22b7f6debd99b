! call f x=[0.7,1.3] y=0.0
! A type that holds allocatable objects of its own type: no code can be written that goes through all of
! its components. With two of them such code doubles at each level.
module trees
  implicit none
  type :: node
    real(8) :: v = 0
    type(node), allocatable :: left, right
  end type
contains
  subroutine f(x, y)
    real(8), intent(in) :: x(2)
    real(8), intent(out) :: y
    type(node) :: t
    t%v = x(1)
    allocate (t%left)
    t%left%v = x(2)*t%v
    y = t%left%v*t%v
  end subroutine
end module
