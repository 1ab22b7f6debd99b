! call head x=[0.7,1.3] y=0.5
! The backward sweep deallocates it, so the forward sweep allocates it, by an assignment.
subroutine head(x, y)
  implicit none
  type holder
    real(8), allocatable :: s
  end type holder
  real(8), intent(in) :: x(2)
  real(8), intent(inout) :: y
  real(8), allocatable :: one
  type(holder) :: h
  one = 0.7d0
  h%s = x(1)
  y = y*sum(x)
end subroutine head
