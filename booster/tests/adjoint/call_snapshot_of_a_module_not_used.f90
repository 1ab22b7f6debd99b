! call head x=[1,2,3] y=0
! What a joint call overwrites is named, with a USE of its own where it stands in a module: allocatable
! variables, too.
module globals
  implicit none
  real(8), allocatable :: t(:)
  real(8) :: s(3)
end module globals

subroutine bar
  use globals
  implicit none
  integer :: i
  do i = 1, 3
    t(i) = t(i)*s(i)*0.5d0 + 1.0d0
    s(i) = s(i)*t(i)
  end do
end subroutine bar

subroutine foo(a)
  implicit none
  real(8), intent(inout) :: a(3)
  a(1) = a(1)*a(2)
  call bar
  a(2) = a(1)*a(2)
end subroutine foo

subroutine head(x, y)
  use globals
  implicit none
  real(8), intent(inout) :: x(3), y
  allocate(t(3))
  t = x
  s = 2*x
  call foo(x)
  y = sum(t) + sum(s)
  deallocate(t)
end subroutine head
