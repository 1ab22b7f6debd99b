! call head x=[0.7,1.3,0.9,0.4,1.1] y=[0.5,0.2,0.3,0.1]
! Two arguments overlap, each of which is overwritten elsewhere than in what they share: one has an adjoint of its
! own, which begins with what it stands for. Not so for `swapped`, which reads nothing that it does not overwrite.
subroutine head(x, y)
  implicit none
  real(8), intent(in) :: x(5)
  real(8), intent(inout) :: y(4)
  real(8) :: u(7), v(9), w(3, 4)
  complex(8) :: z(4)
  integer :: i, n
  n = 5
  u = 1
  v = 2
  w = 1
  do i = 1, 5
    u(i+1) = x(i)
    v(i+2) = x(i)**2
    w(2, mod(i, 4)+1) = x(i)*w(2, mod(i, 4)+1)
  end do
  call ends(u(1:6), u(2:7))
  call ends(u, u(2))
  y(1) = y(1)*sum(u(:3)) + u(7)*u(6)
  call of_extent(v(2), v(4), n)
  call of_extent(v(4), v(5), n)
  y(2) = y(2) + v(2)*v(4)*v(8)
  call of_extent(w(1, 2), w(2, 2), n)
  y(3) = sum(w)*w(1, 3)
  z = cmplx(x(:4), x(2:), 8)
  call of_complex(z(1:3), z(2:4))
  call swapped(u, u(3), 2)
  call by_internal(u, u(2))
  y(4) = y(4)*real(z(1)*z(4)) + aimag(z(2)) + u(1)*u(3)
end subroutine head

subroutine ends(a, b)
  implicit none
  real(8), intent(inout) :: a(6), b(6)
  integer :: i
  a(1) = a(1)*a(2)
  do i = 1, 5
    a(1) = a(1) + b(i)*a(i+1)
  end do
  b(6) = sin(b(6))*b(1) + b(2)*a(4)
end subroutine ends

subroutine of_extent(a, b, n)
  implicit none
  integer, intent(in) :: n
  real(8), intent(inout) :: a(n), b(n)
  a(1) = a(1)*a(3) + a(n)*b(1)
  b(n) = b(n)*b(1)*a(3) + b(n-1)
end subroutine of_extent

subroutine of_complex(a, b)
  implicit none
  complex(8), intent(inout) :: a(3), b(3)
  a(1) = a(1)*a(2)*b(2)
  b(3) = b(3)*b(1) + a(3)
end subroutine of_complex

! What stands behind CONTAINS reads more than is overwritten.
subroutine by_internal(a, b)
  implicit none
  real(8), intent(inout) :: a(6), b(6)
  call first
  b(6) = b(6)*2
contains
  subroutine first
    a(1) = a(1)*a(3)*b(3)
  end subroutine first
end subroutine by_internal

subroutine swapped(a, b, n)
  implicit none
  integer, intent(in) :: n
  real(8), intent(inout) :: a(*), b(*)
  real(8) :: t
  integer :: i
  do i = 1, n
    t = a(i)
    a(i) = b(i)*t
    b(i) = t*2
  end do
end subroutine swapped
