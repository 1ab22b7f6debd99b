! call p x=[0.5,1.5,2.5] n=3 y=0
! A compiler replaces MERGE with a constant mask by one of its arguments.
subroutine p(x, n, y)
  implicit none
  integer, intent(in) :: n
  real(8), intent(in) :: x(n)
  real(8), intent(out) :: y
  logical, parameter :: never = .false.
  integer, parameter :: few = 2
  real(8), allocatable :: t(:), u(:)
  integer :: at(3)
  at = [3, 1, 2]
  t = merge(x, x(at), .true.)
  u = merge(t(at)*x, t, never)
  t = t*merge(u*x, u(at), few < 3 .and. .not. never)
  y = sum(t*u) + merge(x(1)**2, x(2), mask=.false.)
end subroutine p
