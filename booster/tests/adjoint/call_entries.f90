! call top x=[0.5,1.5] y=0
subroutine top(x, y)
  implicit none
  real(8), intent(inout) :: x(2)
  real(8), intent(out) :: y
  y = x(1)
  call whole(x(1), y)
  call part(y)
  call whole(x(2), y)
end subroutine top
subroutine whole(a, b)
  implicit none
  real(8), intent(inout) :: a, b
  a = a*b
  b = b*b*a
  return
  entry part(b)
  b = b*sin(b)
end subroutine whole
