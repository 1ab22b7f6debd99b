! call top n=3 x=[1,2,3] y=2
subroutine top(n, x, y)
  implicit none
  integer, intent(in) :: n
  real(8), intent(inout) :: x(n)
  real(8), intent(inout) :: y
  integer :: i, k, j
  k = 1
  do i = 1, n
    j = k
    call step(x(j), k, y, *10, *20)
    y = y*2
    cycle
10  y = y*x(i)
    cycle
20  y = y + x(k)
    if (y > 100) exit
  end do
  call again(x, y, k, *30)
  y = y*x(1)
  return
30 y = y*x(2)
end subroutine top
subroutine step(a, k, y, *, *)
  implicit none
  real(8), intent(inout) :: a, y
  integer, intent(inout) :: k
  a = a*y
  k = k + 1
  if (k == 2) return 1
  y = y*a
  if (k == 3) return 2
  y = y + a
  k = 1
end subroutine step
subroutine again(x, y, k, *)
  implicit none
  real(8), intent(inout) :: x(3), y
  integer, intent(inout) :: k
  integer, save :: calls = 0
  calls = calls + 1
  y = y*x(3)*calls
  if (y > 1) return 1
  y = y*x(2)
end subroutine again
