! call p x=[0.5,1.5,2.5] n=3 k=2 y=0
! The length of a constructor is told by its items and by the rounds of its implied DO.
subroutine p(x, n, k, y)
  implicit none
  integer, intent(in) :: n, k
  real(8), intent(in) :: x(n)
  real(8), intent(out) :: y
  integer :: i, j
  real(8) :: s
  s = x(1)
  y = sum(sin(reshape([pack(x, x > 0.6d0), [(i, i = 1, n)]*0.2d0, x], [3, 2])))
  y = y + sum(s*[x, (real(i, 8), i = n, 1, -k), (2d0*i, 1d0, i = k, n)])
  y = y*sum(s + [((real(j, 8), j = 1, i), i = 1, k), x(1)])
  y = y + sum(spread(s, 1, size([(real(i, 8), i = 1, n)])))
  call q(n, [(real(i, 8), i = 1, n)], y)
  call q(n, x*x, y)
contains
  subroutine q(m, a, b)
    integer, intent(in) :: m
    real(8), intent(in) :: a(m)
    real(8), intent(inout) :: b
    b = b*sum(a)
  end subroutine q
end subroutine p
