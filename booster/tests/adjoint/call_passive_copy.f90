! call top n=3 x=[0.5,1.5,2] y=[0,0,0]
! A passive call of a procedure that has a derivative elsewhere, where only the callee can record. With
! facts of activity a copy of the callee does.
subroutine top(n, x, y)
  implicit none
  integer, intent(in) :: n
  real(8), intent(in) :: x(n)
  real(8), intent(out) :: y(n)
  real(8) :: e(3)
  e = [1.0d0, 2.0d0, 3.0d0]
  call middle(n, x, e, y)
  y = y*e(:n)
end subroutine top

subroutine middle(n, x, e, y)
  implicit none
  integer n, i
  real(8) x(n), e(*), y(n), largest
  external rescale
  do i = 1, n
    y(i) = x(i)*x(i)*e(i)
  end do
  call norm(n, e, largest)
  call rescale(n, largest, 4.0d0, e)
  do i = 1, n
    y(i) = y(i) + sin(x(i))*e(i)
  end do
  call rescale(n, x(2), y(1), y(2))
  call norm(n - 1, y(2), largest)
  y(1) = y(1)*largest
end subroutine middle

subroutine rescale(n, from, to, a)
  implicit none
  integer n, i
  real(8) from, to, a(*), factor, one
  parameter (one = 1.0d0)
  call ratio(to, from, factor)
  do i = 1, n - 1
    a(i) = a(i)*(factor*one)
  end do
end subroutine rescale

subroutine ratio(a, b, c)
  implicit none
  real(8) a, b, c
  c = a/b
end subroutine ratio

subroutine norm(n, a, largest)
  implicit none
  integer n, i
  real(8) a(*), largest
  largest = 0.0d0
  do i = 1, n
    largest = max(largest, abs(a(i)))
  end do
end subroutine norm
