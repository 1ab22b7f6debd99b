! call head x=[0.7,1.3,0.9,0.4] y=[0.5,0.2]
! A passive call allocates what is released before its values are used: the derivative is there, too.
module set_up_in_vain
  implicit none
  type bag
    real(8), allocatable :: h(:)
    real(8) :: v = 1
  end type
contains
  subroutine setup(o)
    type(bag), intent(inout) :: o
    o%h = [1d0, 2d0]
  end subroutine
  subroutine setarr(h)
    real(8), allocatable, intent(inout) :: h(:)
    h = [1d0, 2d0]
  end subroutine
  subroutine change(o, x)
    type(bag), intent(inout) :: o
    real(8), intent(in) :: x
    deallocate (o%h)
    allocate (o%h(3))
    o%h = x*2
  end subroutine
  subroutine changearr(h, x)
    real(8), allocatable, intent(inout) :: h(:)
    real(8), intent(in) :: x
    deallocate (h)
    allocate (h(3))
    h = x*2
  end subroutine
  subroutine head(x, y)
    real(8), intent(in) :: x(4)
    real(8), intent(out) :: y(2)
    type(bag) :: bg
    real(8), allocatable :: h(:)
    call setarr(h)
    call changearr(h, x(1))
    y(1) = sum(h)
    call setup(bg)
    call change(bg, x(2))
    y(2) = sum(bg%h)
  end subroutine
end module
