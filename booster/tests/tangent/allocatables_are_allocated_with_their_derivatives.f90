! call p n=3 x=[0.5,1.5,2.5]
! along x=[1,-1,0.5]
subroutine p(n, x, y)
  implicit none
  integer, intent(in) :: n
  real(8), intent(in) :: x(n)
  real(8), intent(out) :: y
  real(8), allocatable :: a(:), b(:), c(:)
  integer :: status
  allocate(a(0:n), stat=status)
  a(1:n) = x
  a(0) = 1
  allocate(b, source=a)
  b = b(1:n)*2
  c = x + x(1)
  c = c(2:) + x(2)
  c = [1d0, 2d0]
  b = x(1)
  call move_alloc(a, c)
  y = sum(c)*sum(b) + size(b)
  deallocate(b, c)
end subroutine p
