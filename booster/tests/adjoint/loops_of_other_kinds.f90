! call small n=7 hi=32000 x=[0.5,1.5,0.7,0.9,1.1,0.3,0.2] y=0.0
! call large n=3 x=[0.5,1.5,0.7] y=0.0
! Counters of small kinds that go far, and of large kinds that begin far away.
subroutine small(n, hi, x, y)
  implicit none
  integer, intent(in) :: n
  integer(2), intent(in) :: hi
  real(8), intent(inout) :: x(n)
  real(8), intent(out) :: y
  integer(2) :: j
  real(8) :: s
  s = 1
  do j = -32000_2, hi, 1000_2
    s = sin(s*x(mod(j + 32000, n) + 1)) + 0.1d0
  end do
  y = s
end subroutine small

subroutine large(n, x, y)
  implicit none
  integer, intent(in) :: n
  real(8), intent(in) :: x(n)
  real(8), intent(out) :: y
  integer(8) :: i
  real(8) :: t
  t = 1
  do i = 3000000000_8, 3000000000_8 + n - 1
    t = t*x(i - 2999999999_8)
    t = sin(t)*t
  end do
  y = t
end subroutine large
