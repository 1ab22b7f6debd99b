! call top x=[0.5,1.5,2] y=0
subroutine top(x, y)
  implicit none
  real(8), intent(inout) :: x(3)
  real(8), intent(out) :: y
  call mix(x(1), x(1))
  y = x(1)
end subroutine top
subroutine mix(a, b)
  implicit none
  real(8), intent(inout) :: a
  real(8), intent(in) :: b
  a = sin(a)*b
end subroutine mix
