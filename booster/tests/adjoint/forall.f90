! call shifts n=5 x=[1,-2,0.5,0.25,3] y=[3,4,5,6,7]
! call masked n=3 a=[1,2,3,4,5,6,7,8,9]
! call reshaped x=[1,2,3] s=0.5
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

! What FORALL has not overwritten is needed behind it as well.
subroutine reshaped(x, s)
  implicit none
  real(8), intent(inout) :: x(3), s
  real(8), allocatable :: a(:, :)
  integer :: i, j
  allocate(a(3, 4))
  a = x(1)
  a(1, 1) = s
  forall (i = 1:3, j = 1:3, i /= j) a(i, j) = a(j, i)*a(1, 1)
  a = spread(x, 2, 2)*a(2, 1)
  s = s*sum(a)
end subroutine reshaped
