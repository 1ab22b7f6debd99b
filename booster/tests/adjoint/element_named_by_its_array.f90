! call drive n=3 x=[0.7,1.3,0.9] y=0.5
! call last n=3 x=[0.7,1.3,0.9] y=0.5
! An element is assigned whose subscript asks for the shape of its own array, or reads a component of it:
! what is recorded as a whole is not allocated once more by what its parts record.
module boxes_of_shapes
  implicit none
  type :: sh
    real(8) :: r = 1
  end type
  type, extends(sh) :: rect
    real(8) :: h = 2
  end type
  type box
    class(sh), allocatable :: s
  end type
contains
  subroutine drive(n, x, y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y
    type(box) :: h(2), t
    allocate (h(1)%s, source=rect(x(1), x(2)))
    allocate (h(2)%s, source=sh(x(3)))
    y = h(2)%s%r**2
    t = h(1)
    h(size(h)) = t
    y = y*h(2)%s%r + h(1)%s%r
  end subroutine
end module

! Of an array whose element is named by its size the element alone is recorded.
module ends
  implicit none
contains
  subroutine last(n, x, y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y
    real(8), allocatable :: a(:)
    integer :: i
    a = x
    do i = 1, 3
      a(size(a)) = a(size(a))**2
    end do
    y = a(size(a))
  end subroutine
end module
