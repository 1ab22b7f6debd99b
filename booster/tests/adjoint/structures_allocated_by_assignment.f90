! call drive x=[0.7,1.3,0.9] y=0.5
! An allocatable array of structures that an assignment allocates is recorded as a whole: its components
! are nowhere before.
module duals
  implicit none
  type dual
    real(8) :: v = 0, d = 0
  end type
contains
  subroutine drive(x, y)
    real(8), intent(in) :: x(3)
    real(8), intent(out) :: y
    type(dual) :: c(3)
    type(dual), allocatable :: w(:)
    integer :: i
    c%v = x
    c%d = x**2
    do i = 1, 2
      w = c
      c%v = w%d*w%v
    end do
    y = sum(c%v)
  end subroutine
end module
