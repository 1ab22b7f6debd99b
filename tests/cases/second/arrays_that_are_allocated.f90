! Allocatable arrays change their shape, and a loop of unknown length records as it goes.
subroutine p(x, y)
  implicit none
  real(8), intent(in) :: x(3)
  real(8), intent(out) :: y
  real(8), allocatable :: a(:), b(:, :)
  integer :: i
  y = x(1)
  allocate(a(2))
  a = x(2:3)
  i = 0
  do while (sum(a*a) < 20d0 .and. i < 6)
    i = i + 1
    a = [a*x(mod(i, 3) + 1) + 1, y]
    if (allocated(b)) deallocate(b)
    allocate(b(size(a), 2))
    b(:, 1) = a*a
    b(:, 2) = sin(a)
    y = y + sum(b(:, 1)*b(:, 2))*0.01d0
  end do
  y = y*sum(b(:, 2))
end subroutine p
