! call p x=[0.5,1.5,2.5]
! along x=[1,-1,0.5]
subroutine p(x, y)
  implicit none
  real(8), intent(in) :: x(3)
  real(8), intent(out) :: y(2)
  real(8), allocatable :: a(:), b(:, :), s
  integer :: i
  a = x(1:1)*x(2)
  do i = 2, 3
    a = [a, x(i)*a(1)]
  end do
  a = a(2:3)
  b = reshape([a, x], [2, 2])
  b = transpose(b(:, 1:1))
  s = x(3)
  s = s*s
  y(1) = sum(a)*size(a) + s
  y(2) = b(1, 1)*b(1, 2)
end subroutine p
