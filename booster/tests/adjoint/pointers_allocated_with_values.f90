! call fill n=4 x=[1.2,0.7,0.4,0.9] y=0.5
! call held n=4 x=[1.2,0.7,0.4,0.9] y=0.5
! What ALLOCATE gives a pointer to begin with has an adjoint of its own; the bounds are those of a
! whole array.
module items
  implicit none
  type :: item
    real(8) :: v = 1, w(2) = 0
  end type
  type :: shelf
    type(item), pointer :: items(:) => null()
    real(8), pointer :: k(:) => null()
  end type
end module

subroutine fill(n, x, y)
  implicit none
  integer, intent(in) :: n
  real(8), intent(in) :: x(n)
  real(8), intent(inout) :: y
  real(8) :: low(0:n - 1)
  real(8), pointer :: a(:), b(:), c(:, :), s
  low = x**2
  allocate(a, source=low)
  allocate(b, source=low*y)
  allocate(c(2, n), source=y)
  allocate(s, source=a(0)*x(2))
  a(1) = a(0)*b(1)
  c(1, :) = c(2, :)*b
  y = y + sum(a)*sum(c) + s*a(n - 1)
  deallocate(a, b)
  deallocate(c)
  deallocate(s)
end subroutine

subroutine held(n, x, y)
  use items
  implicit none
  integer, intent(in) :: n
  real(8), intent(in) :: x(n)
  real(8), intent(inout) :: y
  type(shelf) :: s
  type(item), pointer :: one
  integer :: i
  allocate(s%k, source=x)
  do i = 1, n
    allocate(one, source=item(x(i)*y, [s%k(i), y]))
    y = y + one%v*one%w(1) + one%w(2)
    deallocate(one)
  end do
  allocate(s%items(2), source=item(y, x(1:2)))
  y = y*s%items(2)%v + sum(s%items(1)%w)*sum(s%k)
  deallocate(s%k)
  deallocate(s%items)
end subroutine
