! call head x=[0.7,1.3,0.9,0.4] y=[0.5,0.2]
! What is passed twice has an adjoint of its own of as many elements as the dummy argument has: a column, a piece
! of a vector, whole columns for what begins within one; then an extent that is not known does not matter either.
subroutine head(x, y)
  implicit none
  real(8), intent(in) :: x(4)
  real(8), intent(inout) :: y(2)
  real(8) :: a(3, 4), b(2, 3, 4), w(12)
  real(8) :: dot
  integer :: i, j, k, five, nine
  five = 5
  nine = 9
  do j = 1, 4
    do i = 1, 3
      a(i, j) = x(j)*i + 0.1d0*x(1)
    end do
  end do
  b = reshape([a, a*a], [2, 3, 4])
  w = reshape(a, [12])*x(2)
  do j = 1, 4
    do k = 1, j
      y(1) = y(1) + dot(a(1, j), a(1, k), 3)
    end do
  end do
  do k = 1, 3
    y(2) = y(2) + dot(w(2*k), w(4), 4)*dot(a(2, 2), a(2, k), five)
    y(1) = y(1) + dot(b(2, 1, 2), b(1, 2, k), nine)
  end do
  call pieces(w, 12, y)
end subroutine head

subroutine pieces(w, n, y)
  implicit none
  integer, intent(in) :: n
  real(8) :: w(*), y(2)
  real(8) :: dot
  integer :: k
  do k = 1, n/3
    y(2) = y(2) + dot(w(k), w(2*k), n/3)
    call shifted(w(k+1), w(k), n/4)
  end do
end subroutine pieces

real(8) function dot(u, v, n)
  implicit none
  integer, intent(in) :: n
  real(8), intent(in) :: u(n), v(n)
  integer :: i
  dot = 0
  do i = 1, n
    dot = dot + sin(u(i)*v(i))
  end do
end function dot

subroutine shifted(u, v, n)
  implicit none
  integer, intent(in) :: n
  real(8) :: u(n), v(0:n-1)
  u(n) = u(n)*v(0) + v(n-1)*u(n-1)
end subroutine shifted
