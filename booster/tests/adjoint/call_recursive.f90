! call power a=1.25 n=3 p=0
! call fold n=4 v=[1,2,0.5,0.25] s=0
! Recursion, jointly and split.
recursive subroutine power(a, n, p)
  implicit none
  real(8), intent(in) :: a
  integer, intent(in) :: n
  real(8), intent(out) :: p
  real(8) :: q
  if (n == 0) then
    p = 1.0d0
  else
    call power(a, n - 1, q)
    p = a*q*sin(q)
  end if
end subroutine power

recursive subroutine fold(n, v, s)
  implicit none
  integer, intent(in) :: n
  real(8), intent(inout) :: v(n)
  real(8), intent(out) :: s
  real(8) :: l, r
  integer :: m
  if (n == 1) then
    s = v(1)*v(1)
    return
  end if
  m = n/2
  v(1) = v(1)*v(n)
  !$oxad nocheckpoint
  call fold(m, v(1:m), l)
  !$oxad nocheckpoint
  call fold(n - m, v(m + 1:n), r)
  s = l*r
end subroutine fold
