! call drive x=[0.7,1.3,0.9] y=0.5
! call pattern x=[0.7,1.3,0.9] y=0.5
! What is passive is not recorded where an assignment allocates it anew: DEALLOCATE before it finds it there
! in the backward sweep.
module released
  implicit none
contains
  subroutine drive(x, y)
    real(8), intent(in) :: x(3)
    real(8), intent(out) :: y
    integer, allocatable :: col(:)
    integer :: k
    col = [3, 2, 1]
    y = 0
    do k = 1, 2
      y = y + x(col(1))*y
      deallocate (col)
      col = [k, 2, 3]
      y = y + x(col(1))**2
    end do
  end subroutine
end module
module patterns
  implicit none
  type csr
    integer, allocatable :: col(:)
    real(8) :: val(3)
  end type
contains
  subroutine square(a, t)
    real(8), intent(in) :: a(3)
    type(csr), intent(out) :: t
    t%col = [1, 2, 3]
    t%val = a*a
  end subroutine
  subroutine pattern(x, y)
    real(8), intent(in) :: x(3)
    real(8), intent(out) :: y
    type(csr) :: b
    integer :: k
    b%val = x
    do k = 1, 2
      call square(b%val*1, b)
    end do
    y = sum(b%val)
  end subroutine
end module
