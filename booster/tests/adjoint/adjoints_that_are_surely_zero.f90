! call rounds n=3 x=[1,2,3] y=[4,5,6]
! call rounds n=0 x=[1,2,3] y=[4,5,6]
! call one_arm n=3 x=[1,-2,3] y=[4,5,6]
! call carried n=3 x=[1,2,3] y=4
! call jumps n=3 x=[1,2,3] y=4
! call host x=2 y=3
! call passes x=2 y=3
! call whole x=[1,2,3] y=[4,5,6]
! call shared x=2 y=3
! call single x=2 y=3
! call parts z=[(1,2),(3,1)] y=3
! An adjoint that is surely zero is assigned to; where it may be another number it is added to.
subroutine rounds(n, x, y)
  implicit none
  integer, intent(in) :: n
  real(8), intent(in) :: x(3)
  real(8), intent(inout) :: y(3)
  real(8) :: t
  integer :: i
  do i = 1, n
    t = x(i)**2
    y(i) = y(i) + t*x(1)
    y(1) = y(1) - 3*t
  end do
end subroutine rounds

! Only one way adds something.
subroutine one_arm(n, x, y)
  implicit none
  integer, intent(in) :: n
  real(8), intent(in) :: x(3)
  real(8), intent(inout) :: y(3)
  real(8) :: t
  integer :: i
  do i = 1, n
    t = sin(x(i))
    if (x(i) > 0) then
      y(i) = t*y(i)
    end if
    y(i) = y(i) + 2*t
    if (x(i) > 1) y(i) = y(i)*t
  end do
end subroutine one_arm

! The variable goes from round to round.
subroutine carried(n, x, y)
  implicit none
  integer, intent(in) :: n
  real(8), intent(in) :: x(3)
  real(8), intent(inout) :: y
  real(8) :: t
  integer :: i
  t = y
  do i = 1, n
    t = t*x(i) + 1
    y = y + t
  end do
  y = y*t
end subroutine carried

! Jumps: the ways meet in other places.
subroutine jumps(n, x, y)
  implicit none
  integer, intent(in) :: n
  real(8), intent(in) :: x(3)
  real(8), intent(inout) :: y
  real(8) :: t
  integer :: i
  i = 0
  t = x(1)
10 continue
  i = i + 1
  if (i > n) go to 30
  if (x(i) > 1.5d0) go to 20
  t = x(i)*y
20 continue
  y = y + t*t
  if (y < 100) go to 10
30 continue
  y = y*x(2)
end subroutine jumps

! An internal procedure uses the variable of its host.
subroutine host(x, y)
  implicit none
  real(8), intent(in) :: x
  real(8), intent(inout) :: y
  real(8) :: t
  t = x*y
  call inside
  y = y + t*x
  t = x
  call inside
contains
  subroutine inside
    y = y*t
    t = t + x
  end subroutine inside
end subroutine host

! The variable is passed on.
subroutine passes(x, y)
  implicit none
  real(8), intent(in) :: x
  real(8), intent(inout) :: y
  real(8) :: t, s
  t = x*y
  call twice(t, s)
  y = s*x
  t = x**2
  call twice(t, s)
  y = y + s
end subroutine passes

subroutine twice(a, b)
  implicit none
  real(8), intent(in) :: a
  real(8), intent(out) :: b
  b = 2*a*a
end subroutine twice

! Arrays as wholes, and elements of them.
subroutine whole(x, y)
  implicit none
  real(8), intent(in) :: x(3)
  real(8), intent(inout) :: y(3)
  real(8) :: t(3), s(3)
  t = x*y
  y = y - t
  t = sin(x)
  s(2) = x(1)
  s = s(2)*t
  y = y + s*t
  t(2) = y(1)
  y = y*t
end subroutine whole

! Something else has the same storage.
subroutine shared(x, y)
  implicit none
  real(8), intent(in) :: x
  real(8), intent(inout) :: y
  real(8) :: s, t
  equivalence (s, t)
  s = x*y
  y = y + t*x
  t = x**2
  y = y*s
end subroutine shared

! What is added is of lower precision.
subroutine single(x, y)
  implicit none
  real(8), intent(in) :: x
  real(8), intent(inout) :: y
  real(8) :: t
  real(4) :: a, b
  t = x*y
  a = real(t, 4)
  b = real(3*t, 4)
  y = a + b
end subroutine single

subroutine parts(z, y)
  implicit none
  complex(8), intent(in) :: z(2)
  real(8), intent(inout) :: y
  complex(8) :: t
  t = z(1)*z(2)
  y = y*real(t) - aimag(t)
  t = z(1)**2
  y = y + real(t)
end subroutine parts
