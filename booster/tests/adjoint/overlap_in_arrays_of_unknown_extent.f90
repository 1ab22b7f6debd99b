! call head x=[0.7,1.3,0.9,0.4] y=0.5
! Parts of an array of unknown extent may overlap, one of which is overwritten elsewhere: that is told.
subroutine head(x, y)
  implicit none
  real(8), intent(in) :: x(4)
  real(8), intent(out) :: y
  real(8) :: w(8)
  w(1:4) = x
  w(5:8) = x*x(1)
  call middle(w, 4, y)
end subroutine head

subroutine middle(w, n, y)
  implicit none
  integer, intent(in) :: n
  real(8) :: w(*), y
  call solve(w(1), w(n+1), n)
  y = w(2)*w(n)
end subroutine middle

subroutine solve(a, b, n)
  implicit none
  integer, intent(in) :: n
  real(8) :: a(*), b(*)
  integer :: i
  do i = 2, n
    a(i) = a(i) + a(i-1)*b(i)
  end do
end subroutine solve
