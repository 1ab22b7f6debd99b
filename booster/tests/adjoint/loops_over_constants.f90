! call p x=[1,2,3,0.5,0.25,2,1.5]
! Bounds of stepped loops that are constants: the last value is one, too.
subroutine p(x)
  implicit none
  integer, parameter :: n = 6
  real(8), intent(inout) :: x(7)
  integer :: i, j
  do i = 0, 5, 2
    x(i + 1) = x(i + 1)*x(i + 2)
  end do
  do i = n, 1, -4
    x(i) = x(i)**2*x(7)
  end do
  do j = 3, n - 1 + 2, 3
    x(j) = sin(x(j)*x(1))
  end do
end subroutine p
