! call head n=3 x=[0.5,0.7,0.9] y=0
! What is set aside has a type that the procedure names by a component alone: its module is used for it.
module tables
  implicit none
  type :: entry_of_table
    real(8) :: key = 0
    real(8), allocatable :: coefficients(:)
  end type entry_of_table
  type :: table
    type(entry_of_table), allocatable :: e(:)
  end type table
end module tables

subroutine head(n, x, y)
  use tables, only: table
  implicit none
  integer, intent(in) :: n
  real(8), intent(in) :: x(n)
  real(8), intent(out) :: y
  type(table) :: t
  integer :: i
  allocate(t%e(n))
  do i = 1, n
    t%e(i)%key = x(i)**2
    t%e(i)%coefficients = x(1:i)
  end do
  t%e = t%e(n:1:-1)
  y = sum(t%e(1)%coefficients)*t%e(2)%key
end subroutine head
