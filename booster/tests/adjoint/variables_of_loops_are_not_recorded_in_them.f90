! call p x=[0.7,1.2,0.9,1.1] y=[0.0,0.0,0.0,0.0]
! A call that looks as if it could change the variable of a loop around it, as an argument or in a
! COMMON block of another layout: it must not, and the loop of the backward sweep has its value.
subroutine p(x, y)
  implicit none
  real(8), intent(in) :: x(4)
  real(8), intent(inout) :: y(4)
  integer :: i, j, k, n
  common /indices/ i, j, k
  k = 1
  do i = 1, 4
    call through_common(x, y(i), 2)
    y(i) = y(i)*j*i
    call through_common(x, y(i), 3)
    y(i) = y(i)*k
  end do
  do n = 1, 4
    call through_argument(x(n), n, y(n))
  end do
end subroutine p

subroutine through_common(x, y, l)
  implicit none
  real(8), intent(in) :: x(4)
  real(8), intent(inout) :: y
  integer, intent(in) :: l
  integer :: m(3)
  common /indices/ m
  m(l) = m(1) + l
  y = x(m(1))**2*m(l) + m(2)*x(1)*y
end subroutine through_common

subroutine through_argument(a, n, y)
  implicit none
  real(8), intent(in) :: a
  integer :: n
  real(8), intent(inout) :: y
  if (n > 100) n = 100
  y = a**2*n*y
end subroutine through_argument
