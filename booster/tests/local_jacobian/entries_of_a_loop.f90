! call p n=3 x=[0.5,0.8,1.1,0.3] y=[0,0,0] z=[0,0,0]
! call p n=1 x=[0.5,0.8] y=[0.2] z=[0.1]
! Entries that change while they are accumulated: the mirror of a round accumulates them again, and
! they do not go onto the tape. What takes a function is recorded.
subroutine p(n, x, y, z)
  implicit none
  integer, intent(in) :: n
  real(8), intent(in) :: x(n + 1)
  real(8), intent(inout) :: y(n), z(n)
  integer :: i
  real(8) :: a, b, t, s, q, r
  do i = 1, n
    a = x(i)
    b = x(i + 1)
    t = a*b
    s = t*a + b
    y(i) = y(i) + t*s*a + s*b
  end do
  do i = 1, n
    q = x(i)
    r = sin(q)*q
    z(i) = r*r*q + r
  end do
end subroutine p
