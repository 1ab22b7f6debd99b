! call top n=2 x=[0.5,1.5,2] y=0
subroutine top(n, x, y)
  implicit none
  integer, intent(inout) :: n
  real(8), intent(inout) :: x(3)
  real(8), intent(out) :: y
  y = 1.0d0
  !$oxad nocheckpoint
  call step(x(n), n, 2*n, y)
  !$oxad nocheckpoint
  call step(x(n), n, (n), y)
  call step(x(n), n, n + 1, y)
end subroutine top
subroutine step(a, n, m, y)
  implicit none
  real(8), intent(inout) :: a, y
  integer, intent(inout) :: n
  integer, intent(in) :: m
  a = a*a*m
  y = y*a
  n = n - 1
  if (n < 1) n = 3
end subroutine step
