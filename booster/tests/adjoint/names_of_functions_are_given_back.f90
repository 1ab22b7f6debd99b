! call p x=[1,2,3] size=[2,3] sum=0.5
! call q x=[1,2,3,4]
! call r x=[1,2,3] size=2
! Variables that have the names of functions which the adjoint calls.
module counts
  implicit none
  real(8) :: size(2) = 2d0, spread = 1.5d0
end module counts

subroutine p(x, size, sum)
  implicit none
  real(8), intent(inout) :: x(3), sum
  real(8), intent(inout) :: size(2)
  real(8) :: spread, count
  spread = size(1)*size(2)
  count = spread*sum
  x = x*spread + count
  where (x > 2d0)
    x = x + sum
  end where
  sum = count
end subroutine p

subroutine q(x)
  use counts
  implicit none
  real(8), intent(inout) :: x(4)
  real(8) :: max(4)
  max = x*size(1)
  x = max + spread*sum(spread + max)
  size(2) = max(1)*x(2)
end subroutine q

subroutine r(x, size)
  implicit none
  real(8), intent(inout) :: x(3)
  integer, intent(in) :: size
  integer :: sum
  interface
    subroutine inner(x, size)
      real(8), intent(inout) :: x(3)
      integer, intent(in) :: size
    end subroutine inner
  end interface
  do sum = 1, size
    call inner(size=sum, x=x)
  end do
end subroutine r

subroutine inner(x, size)
  implicit none
  real(8), intent(inout) :: x(3)
  integer, intent(in) :: size
  real(8) :: s
  s = x(size)*x(1)
  x = x*s + sum(s + x)
end subroutine inner
