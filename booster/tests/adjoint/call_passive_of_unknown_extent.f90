subroutine fill(n, c, a)
  implicit none
  integer :: n, i
  real(8) :: c, a(*)
  do i = 1, n
    a(i) = c + i
  end do
end subroutine
subroutine head(n, x, y, w)
  implicit none
  integer :: n, i, k
  real(8) :: x(n), y, w(*)
  y = 0
  k = n
  call fill(k, 1d0, w)
  do i = 1, n
    y = y + w(i)*x(i)**2
  end do
  call fill(k, 2d0, w)
  k = 0
  do i = 1, n
    y = y + w(i)*x(i)**3
  end do
end subroutine
