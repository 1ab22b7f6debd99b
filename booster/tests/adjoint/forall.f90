! call shifts n=5 x=[1,-2,0.5,0.25,3] y=[3,4,5,6,7]
! call masked n=3 a=[1,2,3,4,5,6,7,8,9]
! FORALL becomes loops; what it reads it reads before it writes.
subroutine shifts(n, x, y)
  implicit none
  integer, intent(in) :: n
  real(8), intent(inout) :: x(n)
  real(8), intent(inout) :: y(n)
  integer :: i
  forall (i = 2:n) x(i) = x(i - 1)*y(i)
  forall (i = n:1:-2)
    y(i) = y(i)*x(i)
    x(i) = sin(y(i))
  end forall
  forall (i = 1:n, x(i) > 0.0d0) x(i) = sqrt(x(n + 1 - i)**2)
end subroutine shifts

subroutine masked(n, a)
  implicit none
  integer, intent(in) :: n
  real(8), intent(inout) :: a(n, n)
  integer :: i, j
  forall (i = 1:n, j = 1:n, i > j) a(i, j) = a(j, i)*a(i, i)
end subroutine masked
