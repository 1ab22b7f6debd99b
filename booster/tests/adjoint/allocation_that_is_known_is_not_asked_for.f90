! call p x=[0.7,0.4,1.2] y=0.3
subroutine p(x, y)
  implicit none
  real(8), intent(inout) :: x(3)
  real(8), intent(inout) :: y
  real(8), allocatable :: a(:), b(:), c(:)
  integer :: i
  allocate(a(2))
  a = x(1:2)**2
  ! Allocated as it is, with another shape.
  a = [a*y, x]
  ! One arm allocates, both leave it there.
  if (y > 0.2d0) then
    b = a**2
  else
    allocate(b(5))
    b = a*y
  end if
  y = sum(b*a)
  call move_alloc(b, a)
  ! Moved away: not there.
  b = a*y
  do i = 1, 2
    ! In the first round it is not there.
    c = b*a
    b = c + sin(y*b)
  end do
  if (.not. allocated(c)) c = [y]
  y = sum(c) + sum(a*b)
  deallocate(a)
  x = b(1:3)
end subroutine p
