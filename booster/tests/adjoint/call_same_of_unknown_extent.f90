! call top n=3 a=[1,2,3,4,5,6,7,8,9] y=[0.5,1.5]
! The same array of unknown extent is passed for two arguments that are only read.
subroutine top(n, a, y)
  implicit none
  integer, intent(in) :: n
  real(8), intent(inout) :: a(n, n), y(2)
  call squares(n, a, n, y)
end subroutine top
subroutine squares(n, a, lda, y)
  implicit none
  integer, intent(in) :: n, lda
  real(8), intent(inout) :: a(lda, *), y(*)
  real(8), external :: dot
  integer :: j
  do j = 1, n
    a(j, j) = dot(n - j + 1, a(j, j), lda, a(j, j), lda)
    if (j > 1) y(1) = y(1)*dot(2, y, 1, a(1, j), 1)
  end do
  y(2) = y(2)*dot(2, y, 1, y, 1)
  call mix(2, a(1, 2), a(1, 2), a(1, 2), y(1))
end subroutine squares
real(8) function dot(n, x, incx, y, incy)
  implicit none
  integer, intent(in) :: n, incx, incy
  real(8) :: x(*), y(*)
  integer :: i, ix, iy
  dot = 0
  ix = 1
  iy = 1
  do i = 1, n
    dot = dot + x(ix)*y(iy)
    ix = ix + incx
    iy = iy + incy
  end do
end function dot
subroutine mix(n, u, v, w, s)
  implicit none
  integer, intent(in) :: n
  real(8), intent(in) :: u(n), v(n), w(n)
  real(8), intent(inout) :: s
  real(8) :: t(n)
  integer :: i
  t = u*v + sin(w)*v
  do i = 2, n
    s = s + t(i)*u(i - 1)*v(i)/w(i)
  end do
end subroutine mix
