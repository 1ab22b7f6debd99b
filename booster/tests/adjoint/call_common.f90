! call top x=[0.5,1.5] y=0
subroutine top(x, y)
  implicit none
  real(8), intent(inout) :: x(2)
  real(8), intent(out) :: y
  real(8) :: c, d
  integer :: k
  common /blk/ c, d(2), k
  c = x(1)
  d = x(2)
  k = 2
  call hidden(x(2))
  call deep(x(1))
  call hidden(d(1))
  y = c*d(2)
  call deep(y)
end subroutine top

subroutine hidden(s)
  implicit none
  real(8), intent(in) :: s
  real(8) :: c, d
  integer :: k
  common /blk/ c, d(2), k
  c = c*s*d(1)
  d(k) = d(2)*c
end subroutine hidden

subroutine deep(s)
  implicit none
  real(8), intent(inout) :: s
  call deeper(s)
  s = s*s
  call deeper(s)
end subroutine deep

subroutine deeper(s)
  implicit none
  real(8), intent(inout) :: s
  real(8) :: e, f
  common /other/ e, f
  e = s*s
  f = e*s
  s = f*e
end subroutine deeper
