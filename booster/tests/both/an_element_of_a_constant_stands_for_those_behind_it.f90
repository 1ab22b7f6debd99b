! call head x=[0.7,1.1,0.4] y=0.5
!
! What is passed as the derivative of a named constant, of which an element is passed to an array, is an array.
module polynomials
  implicit none
contains
  subroutine head(x, y)
    real(8), intent(in) :: x(3)
    real(8), intent(out) :: y
    real(8), parameter :: coeff(6) = [1d0, -2d0, 3d0, 0.5d0, 2d0, 4d0]
    real(8), parameter :: table(2, 2) = reshape([1d0, 2d0, 3d0, 4d0], [2, 2])
    real(8) :: eps
    integer :: o, j
    eps = x(1)*x(2)
    o = 1
    y = 0
    do j = 1, 2
      y = y + value(2, coeff(o), eps)*x(3) + value(1, table(1, j), eps)
      o = o + 3
    end do
    y = y + value(2, x, eps)
  end subroutine head

  real(8) function value(n, p, x)
    integer, intent(in) :: n
    real(8), intent(in) :: p(0:n), x
    integer :: i
    value = p(0)
    do i = 1, n
      value = value*x + p(i)
    end do
  end function value
end module polynomials
