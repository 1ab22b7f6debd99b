! call top n=3 x=[0.5,1.5,2] y=1
! Adjoints of allocatable variables that are saved go from call to call.
subroutine top(n, x, y)
  implicit none
  integer, intent(in) :: n
  real(8), intent(inout) :: x(n), y
  integer :: i
  do i = 1, n
    call filter(x(i), y)
    call smooth(i, n, x, y)
  end do
  call filter(x(1), y)
end subroutine top
subroutine filter(s, y)
  implicit none
  real(8), intent(inout) :: s, y
  real(8), allocatable, save :: last(:)
  if (.not. allocated(last)) allocate (last(2), source=1d0)
  s = s*last(1)
  last(1) = last(2)
  last(2) = s
  y = y + s*s
end subroutine filter
! The variable is released, and has another shape later.
subroutine smooth(i, n, x, y)
  implicit none
  integer, intent(in) :: i, n
  real(8), intent(inout) :: x(n), y
  real(8), allocatable, save :: work(:), one
  if (allocated(work)) then
    y = y + sum(work)*work(1)
    x(1) = x(1)*work(size(work))*one
    one = one*y
    deallocate (work)
  else
    allocate (work(i:n))
    work = x(i:n)*y
    one = x(n)**2
  end if
  if (i == 2) work = [x(1)*y, y]
end subroutine smooth
