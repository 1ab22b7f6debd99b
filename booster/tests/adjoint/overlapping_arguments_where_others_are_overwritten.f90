! call head x=[0.7,1.3,0.9,0.4,1.1] y=[0.5,0.2,0.3]
! Arguments of a call overlap where nothing is overwritten: what is only read has an adjoint of its own, but for
! `added`, which reads nothing of `a` that it does not overwrite.
subroutine head(x, y)
  implicit none
  real(8), intent(in) :: x(5)
  real(8), intent(inout) :: y(3)
  real(8) :: u(7), v(2, 7), w(6)
  integer :: i
  u = 1
  v = 1
  do i = 1, 5
    u(i+1) = x(i)
    v(2, i+1) = x(i)*x(1)
  end do
  call ends(u, u(2), 7)
  y(1) = u(1)*u(7)
  call ends(v(2, :), v(2, 2), 7)
  y(2) = v(2, 1)*v(2, 7)
  do i = 1, 6
    w(i) = x(mod(i, 4)+1)**2
  end do
  call parts(w, w(3), y(3))
  y(3) = y(3) + w(1)
  call added(2, w(5), w(1))
  y(3) = y(3)*w(5)*w(6)
end subroutine head

subroutine ends(u, b, n)
  implicit none
  integer, intent(in) :: n
  real(8) :: u(n), b
  u(1) = u(3) + u(2)*b
  u(n) = b*u(2)
end subroutine ends

subroutine parts(a, b, r)
  implicit none
  real(8) :: a(*), b(*), r
  integer :: i
  r = 0
  a(1) = a(1)*b(1)
  do i = 3, 6
    r = r + a(i)*b(i-2)*b(1) + a(3)**2
    a(2) = a(2)*0.9d0 + r*b(2)*a(i)
  end do
  a(1) = a(1) + a(2)
end subroutine parts

subroutine added(n, a, b)
  implicit none
  integer, intent(in) :: n
  real(8) :: a(*), b(*)
  integer :: i
  do i = 1, n
    a(i) = a(i) + b(i)*a(i)
  end do
end subroutine added
