! call top x=[0.5,1.5] y=0
subroutine top(x, y)
  implicit none
  real(8), intent(inout) :: x(2)
  real(8), intent(out) :: y
  call filter(x(1), y)
  call filter(x(2), y)
end subroutine top
subroutine filter(s, y)
  implicit none
  real(8), intent(inout) :: s, y
  real(8), save :: last = 1.0d0
  s = s*last
  last = s
  y = y + s*s
end subroutine filter
