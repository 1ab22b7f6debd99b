! call straight x=[0.5,0.8,1.25] y=[0,0] s=2.0
! call in_place n=4 x=[0.5,0.8,1.25,0.3] j=2
! Straight-line code: scalars, elements, what is overwritten, what is read after.
subroutine straight(x, y, s)
  implicit none
  real(8), intent(in) :: x(3), s
  real(8), intent(out) :: y(2)
  real(8) :: t, u
  t = x(1)*x(2)
  u = sin(t) + s*x(3)
  t = exp(u)/x(2)
  y(1) = t*u
  y(2) = sqrt(x(3)) - y(1)*3.0d0
  y(1) = y(1) + x(1)
end subroutine straight

subroutine in_place(n, x, j)
  implicit none
  integer, intent(in) :: n
  integer, intent(in) :: j
  real(8), intent(inout) :: x(n)
  integer :: k
  k = j
  x(k) = x(k)*x(k)
  x(k + 1) = x(k)*x(j)
  k = k + 1
  x(j) = sin(x(k))
  x(1) = 3.0d0
  x(k) = x(k) + x(1)*x(n)
end subroutine in_place
