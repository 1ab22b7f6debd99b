subroutine top(x, y)
  implicit none
  real(8), intent(inout) :: x(2), y
  call filter(x(1), y)
  call filter(x(2), y)
end subroutine top
subroutine filter(s, y)
  implicit none
  real(8), intent(inout) :: s, y
  real(8), allocatable, save :: last(:)
  if (.not. allocated(last)) allocate (last(2), source=1d0)
  s = s*last(1)
  last = s
  y = y + s*s
end subroutine filter
