! call p x=[0.5,1.5,0.75] y=0.5
! An assignment allocates a scalar while the records of a loop are kept in a block of the tape.
subroutine p(x, y)
  implicit none
  type holder
    real(8), allocatable :: s
  end type holder
  real(8), intent(in) :: x(3)
  real(8), intent(inout) :: y
  real(8), allocatable :: s
  type(holder) :: h
  integer :: i
  do i = 1, 3
    y = y*y*x(i)
  end do
  s = x(1)
  h%s = x(2)
  y = y*s*h%s
end subroutine p
