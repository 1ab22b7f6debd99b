! call head x=[0.7,1.3,0.9] y=0.5
! FINAL procedures that only change what their object holds, or release what is allocatable in it, may run for
! derivatives, too.
module tidy_adjoint
  implicit none
  type :: tab
    real(8), allocatable :: f(:)
    integer :: last = 0
  contains
    procedure :: destroy
    final :: fin
  end type
  type, extends(tab) :: scaled
    real(8) :: s = 1d0
  end type
contains
  elemental subroutine destroy(me)
    class(tab), intent(inout) :: me
    if (allocated(me%f)) deallocate (me%f)
    me%last = 0
  end subroutine
  elemental subroutine fin(me)
    type(tab), intent(inout) :: me
    call me%destroy()
  end subroutine
  subroutine fill(me, x)
    class(tab), intent(inout) :: me
    real(8), intent(in) :: x(:)
    call me%destroy()
    me%f = x**2
    me%last = size(x)
  end subroutine
  subroutine head(x, y)
    real(8), intent(in) :: x(3)
    real(8), intent(inout) :: y
    type(tab) :: t
    type(scaled) :: u
    integer :: i
    call fill(t, x)
    u%s = x(2)
    do i = 1, 2
      call fill(u, t%f*x(i))
      y = y*sum(u%f)*u%s + t%f(t%last)
      t%f(i) = y
    end do
    call t%destroy()
    y = y*u%f(u%last)
  end subroutine
end module
