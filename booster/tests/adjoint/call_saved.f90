! call top x=[0.5,1.5] y=0
! Saved variables that are read before they are written; one that is not.
subroutine top(x, y)
  implicit none
  real(8), intent(inout) :: x(2)
  real(8), intent(out) :: y
  call count(x(1))
  call count(x(2))
  y = x(1)*x(2)
  call count(y)
end subroutine top

subroutine count(s)
  implicit none
  real(8), intent(inout) :: s
  integer, save :: n = 0
  real(8), save :: work
  n = n + 1
  work = s*n
  s = work*sin(work)
end subroutine count
