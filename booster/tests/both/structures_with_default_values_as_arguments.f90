! call constructed x=0.4 y=0
! A structure whose numbers have default values is passed as it is constructed, where another call passes an
! active one: what is passed for its derivative is zero.
module constructed_settings
  implicit none
  type :: settings
    integer :: n = 3
    real(8) :: h = 0.1d0
    real(8), allocatable :: w(:)
  end type settings
contains
  subroutine integrate(u, c)
    real(8), intent(inout) :: u
    type(settings), intent(in) :: c
    integer :: i
    do i = 1, c%n
      u = u + c%h*u*u
      if (allocated(c%w)) u = u + c%w(1)*u
    end do
  end subroutine integrate
  subroutine constructed(x, y)
    real(8), intent(in) :: x
    real(8), intent(out) :: y
    integer :: m
    y = x
    m = 2
    call integrate(y, settings())
    call integrate(y, settings(n=m, h=x))
    call integrate(y, settings(n=m, w=[0.5d0, 0.25d0]))
    m = 1
    call integrate(y, settings(m, 0.3d0))
  end subroutine constructed
end module constructed_settings
