! A library procedure that ends the program may touch everything, but nobody sees it.
module failing
  implicit none
contains
  subroutine fail(n)
    integer, intent(in) :: n
    integer :: ierr
    print *, 'wrong', n
    call mpi_abort(0, n, ierr)
  end subroutine fail
end module failing
subroutine head(n, x, y)
  use failing, only: fail
  implicit none
  integer, intent(in) :: n
  real(8), intent(in) :: x(2)
  real(8), intent(out) :: y
  integer :: i
  y = x(1)
  do i = 1, n
    y = sin(y)*y
    if (y > 1d9) then
      y = sin(y)
      call fail(n)
    end if
    y = y*x(2)
  end do
  if (n < 0) call fail(n)
end subroutine head
