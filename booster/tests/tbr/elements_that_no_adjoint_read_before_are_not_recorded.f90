! Loops that write each element once, in the order in which they read them, and loops that do not.
subroutine sweeps(n, x, y)
  integer, intent(in) :: n
  real(8), intent(inout) :: x(n)
  real(8), intent(out) :: y
  real(8) :: a(n+1), s(n), d(n), e(n)
  integer :: i
  a(n+1) = x(1)
  do i = n, 1, -1
    d(i) = 1/(2 - a(i+1)*x(i))
    a(i) = x(i) + x(i)**2*a(i+1)*d(i)
    s(i) = a(i)*d(i)
  end do
  e(1) = s(1)
  do i = 1, n - 1
    e(i+1) = sin(e(i)*s(i+1)) + a(i+1)*d(i)
  end do
  y = sum(e*e)
end subroutine sweeps

! The element before is read, then overwritten: it is recorded. The one behind is not.
subroutine neighbours(n, x, y)
  integer, intent(in) :: n
  real(8), intent(inout) :: x(n), y(n)
  integer :: i
  do i = 2, n
    x(i-1) = x(i)*x(i-1)
  end do
  do i = 2, n
    y(i) = y(i-1)*y(i-1)
  end do
end subroutine neighbours

! A loop around writes all elements anew in each of its iterations.
subroutine again(n, x, y)
  integer, intent(in) :: n
  real(8), intent(inout) :: x(n)
  real(8), intent(out) :: y
  real(8) :: w(n)
  integer :: i, k
  y = 0
  do k = 1, 3
    do i = 1, n
      w(i) = x(i)*x(i)
    end do
    do i = 1, n
      y = y + w(i)*w(i)
      x(i) = 0.5d0*x(i) + w(i)
    end do
  end do
end subroutine again

! The same with a loop that does not count, and with one that control goes back by itself.
subroutine without_count(n, x, y)
  integer, intent(in) :: n
  real(8), intent(inout) :: x(n)
  real(8), intent(out) :: y
  real(8) :: w(n)
  integer :: i
  y = 1
  w = 0
  do while (y < 100)
    do i = 1, n
      w(i) = x(i)*y
      y = y + w(i)*w(i)
    end do
  end do
  i = 1
10 w(i) = w(i)*x(i)
  y = y + w(i)*w(i)
  i = i + 1
  if (i <= n) goto 10
end subroutine without_count

! Steps, sections, columns, and a subscript that changes.
subroutine parts(n, x, y)
  integer, intent(in) :: n
  real(8), intent(inout) :: x(n, n)
  real(8), intent(out) :: y
  integer :: i, k
  do k = 2, n
    x(:, k) = x(:, k) + x(:, k-1)**2
  end do
  do i = 1, n - 2, 2
    x(i+2, 1) = x(i, 1)*x(i+1, 1)
  end do
  do i = 1, n - 1
    x(i+1, 2) = x(i, 2)*x(i+1, 2)
  end do
  k = 1
  do i = 2, n
    x(k, 3) = x(i, 3)*x(i, 3)
    k = i
  end do
  y = sum(x)
end subroutine parts

! Components, also of elements of an array of structures.
subroutine components(n, x, y)
  type cell
    real(8) :: v, w(3)
  end type cell
  integer, intent(in) :: n
  real(8), intent(inout) :: x(n)
  real(8), intent(out) :: y
  type(cell) :: c(n)
  integer :: i
  c(1)%v = x(1)
  do i = 2, n
    c(i)%v = c(i-1)%v*x(i)
    c(i)%w(1) = c(i)%v*c(i)%v
    c(i)%w(2) = c(i)%w(1)*x(i)
  end do
  do i = 1, n - 1
    c(i)%v = c(i+1)%v*c(i+1)%w(2)
  end do
  y = c(1)%v
end subroutine components

subroutine head(n, x, y)
  integer, intent(in) :: n
  real(8), intent(inout) :: x(n)
  real(8), intent(out) :: y
  real(8) :: z(n, n), part, v(n)
  v = x
  call sweeps(n, x, part)
  y = part
  call neighbours(n, x, v)
  call again(n, x, part)
  y = y*part
  call without_count(n, v, part)
  y = y + part
  z = spread(x, 1, n)*spread(v, 2, n)
  call parts(n, z, part)
  y = y + part
  call components(n, v, part)
  y = y + part
end subroutine head
