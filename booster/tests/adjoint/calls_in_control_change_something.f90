! call top n=5 x=[0.5,1.5,2,0.3,0.7] y=1
! What a function changes where control decides is taken back like all that is overwritten.
subroutine top(n, x, y)
  implicit none
  integer, intent(in) :: n
  real(8), intent(inout) :: x(n), y
  real(8), allocatable :: t(:)
  integer :: i, j, calls
  common /counted/ calls
  integer, external :: next
  calls = 1
  do i = 1, 2
    do j = next(3), n - next(i), next(3)
      y = y + x(i)*sin(x(j))*calls
    end do
    if (next(1) > 1) y = y*calls
    if (i > 2) then
      y = 0
    else if (next(2) > 1 .and. i > 1) then
      y = y + calls*x(2)
    end if
    j = 0
    do while (next(j) < 3)
      j = j + 1
      y = y*0.5d0 + x(1)*calls
    end do
    select case (next(i))
    case (2)
      y = y*calls
    case default
      y = y + calls*x(3)
    end select
    goto (30, 40), next(i)
30  y = y + x(4)*calls
40  allocate (t(next(2)))
    t = x(i)*y
    y = y + sum(t)*next(2)
    y = y + calls*x(5)
    deallocate (t)
  end do
end subroutine top
integer function next(k)
  implicit none
  integer, intent(in) :: k
  integer :: calls
  common /counted/ calls
  calls = calls + 1
  next = 1 + mod(k, 3)
end function next
