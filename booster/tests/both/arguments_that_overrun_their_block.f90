! call head x=[0.7,1.1,0.4] y=0.0
!
! A variable of COMMON or EQUIVALENCE that is passed for more elements than it has stands for what lies
! behind it, too: that is active with it, has its derivatives there, and comes back from the tape.
subroutine head(x, y)
  implicit none
  real(8) :: x(3), y
  real(8) :: u(3), v(3), p, w(2)
  common /state/ u, v, p, w
  integer :: it
  call clear(u, 9)
  call setup(x)
  do it = 1, 3
    call smooth(u, 7)
    call turn(v(2), w(1))
  end do
  y = p*u(2) + v(1)*v(3) + w(1)*sin(w(2))
  call local(x, y)
end subroutine head

subroutine local(x, y)
  implicit none
  real(8) :: x(3), y, t(6), b(2), c(3)
  real(8), external :: total
  equivalence (t(2), b(1)), (t(4), c(1))
  t(1) = x(1)
  call copy(x, b, 3)
  t(5:6) = x(2)*x(3)
  y = y + total(b, 5)*c(2)
  call copy(t, b(2), 4)
  y = y + total(t, 3) + c(3)*c(1)
end subroutine local

real(8) function total(v, n)
  implicit none
  integer, intent(in) :: n
  real(8), intent(in) :: v(n)
  integer :: i
  total = 0
  do i = 1, n
    total = total + v(i)**2
  end do
end function total

subroutine clear(a, n)
  implicit none
  integer, intent(in) :: n
  real(8), intent(out) :: a(n)
  integer :: i
  do i = 1, n
    a(i) = 0
  end do
end subroutine clear

subroutine setup(x)
  implicit none
  real(8) :: x(3)
  real(8) :: u(3), v(3), p, w(2)
  common /state/ u, v, p, w
  call copy(x, u, 3)
  v(1) = x(1)*x(2)
  v(2) = x(3)
  v(3) = x(2)
  p = x(1)
  w(1) = 1
  w(2) = x(1)*0.3d0
end subroutine setup

subroutine copy(a, b, n)
  implicit none
  integer, intent(in) :: n
  real(8), intent(in) :: a(n)
  real(8), intent(out) :: b(n)
  integer :: i
  do i = n, 1, -1
    b(i) = a(i)
  end do
end subroutine copy

subroutine smooth(a, n)
  implicit none
  integer, intent(in) :: n
  real(8), intent(inout) :: a(n)
  integer :: i
  do i = 2, n
    a(i) = a(i)*cos(a(i-1)) + 0.1d0*a(i)**2
  end do
  a(1) = a(n)*0.5d0 + a(1)
end subroutine smooth

subroutine turn(a, s)
  implicit none
  real(8), intent(inout) :: a(2), s
  a(1) = a(1) + s*a(2)
  a(2) = sin(a(2))
end subroutine turn
