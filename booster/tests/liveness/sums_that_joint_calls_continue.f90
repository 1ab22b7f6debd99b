! joint
! activity head=total independent=x dependent=cost
! why cost@15 e@27 cost@29
! call total n=3 x=[0.5,1.5,-0.25,0.75,1.0,0.125] cost=0
! The adjoint of a call adds to what it never reads: nothing calls `part` before, and nothing records the sum.
subroutine total(n, x, cost)
  implicit none
  integer, intent(in) :: n
  real(8), intent(in) :: x(2, n)
  real(8), intent(out) :: cost
  integer :: i
  real(8) :: most
  cost = 0
  do i = 1, n
    call part(x(:, i), cost)
  end do
  most = -1
  call largest(2*n, x, most)
  cost = cost*most
end subroutine total

subroutine part(x, cost)
  implicit none
  real(8), intent(in) :: x(2)
  real(8), intent(inout) :: cost
  real(8) :: e, d
  e = exp(x(1))
  d = e*x(2)
  cost = cost + sin(d*e)
end subroutine part

subroutine largest(n, x, most)
  implicit none
  integer, intent(in) :: n
  real(8), intent(in) :: x(n)
  real(8), intent(inout) :: most
  integer :: i
  do i = 1, n
    if (x(i) > most) most = x(i)
  end do
end subroutine largest
