! call head n=3 x=[0.3,0.5,0.7,0.9,1.1,1.3] y=0.2
! Variables of implied loops and dummy arguments of statement functions have values within their statement
! alone; loops outside have variables of the same names.
subroutine head(n, x, y)
  integer, intent(in) :: n
  real(8), intent(inout) :: x(6), y
  integer :: i, j, k, at
  real(8) :: v(2, 3)
  at(i, j) = (i*(i - 1))/2 + j
  do j = 1, n
    x(at(j, 1)) = x(at(j, 1))*y
  end do
  do k = 1, 3
    v(:, k) = [(x(k)*x(n), k=1, 2)]
    v(:, k) = v(:, k)*x(k)
  end do
  y = y*sum(v**2)
end subroutine head
