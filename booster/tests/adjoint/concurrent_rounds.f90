! call masks n=4 x=[1,-2,3,4] y=[0.5,1.5,2.5,3.5]
! call bounds n=3 m=2 x=[1,2,3] y=[0.5,1.5,2.5,1,2,3,4,5,6]
module concurrent_rounds
  implicit none
contains
  ! A mask that rounds change is what it was before them.
  subroutine masks(n, x, y)
    integer, intent(in) :: n
    real(8), intent(inout) :: x(n)
    real(8), intent(inout) :: y(n)
    real(8) :: z(n, n)
    integer :: i, j
    do concurrent (i = 1:n, x(i) > 0)
      x(i) = x(i)**2 - 3
    end do
    do concurrent (i = n:2:-1, x(i - 1) > 0)
      x(i) = -x(i)*y(i)
    end do
    z = 1
    do concurrent (i = 1:n, j = 2:n:2, i /= j .and. z(j, i) > 0)
      if (y(i) > 2) cycle
      z(i, j) = x(i)*y(j)
    end do
    y = y + z(:, 2)*z(1, :)
  end subroutine masks

  subroutine bounds(n, m, x, y)
    integer, intent(in) :: n
    integer, intent(inout) :: m
    real(8), intent(inout) :: x(n)
    real(8), intent(inout) :: y(n, n)
    integer :: i, j
    do concurrent (i = 1:n, j = m:2*m - 1)
      y(i, j) = y(i, j)*x(i)
    end do
    m = 1
    do concurrent (i = n:m:-1, j = m:m, x(i) > 1)
      x(i) = x(i)*y(i, j)
    end do
  end subroutine bounds
end module concurrent_rounds
