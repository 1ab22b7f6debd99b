! call p x=[0.7,1.3,0.4] y=[0,0]
! An automatic extent asks for an allocation that calls and functions change.
module property_in_extents
  implicit none
contains
  function made(n) result(r)
    integer, intent(in) :: n
    real(8), allocatable :: r(:)
    allocate (r(n))
    r = 1
  end function
  pure integer function extent(b)
    real(8), allocatable, intent(in) :: b(:)
    extent = 1
    if (allocated(b)) extent = size(b)
  end function
  subroutine inner(u, b)
    real(8), intent(inout) :: u
    real(8), allocatable, intent(inout) :: b(:)
    if (allocated(b)) u = u*u*size(b)
    if (allocated(b)) deallocate (b)
    u = sin(u)
  end subroutine
  subroutine p(x, y)
  real(8), intent(in) :: x(3)
  real(8), intent(out) :: y(2)
    real(8), allocatable :: b(:)
    real(8) :: u
    real(8) :: auto(3)
    integer :: i
    u = x(1)
    do i = 1, 4
      if (i /= 2) b = made(i)
      block
        real(8) :: w(extent(b))
        w = u
        u = sum(w*w)*x(2)
      end block
      call inner(u, b)
    end do
    y = u*x(3)
  end subroutine
end module property_in_extents
