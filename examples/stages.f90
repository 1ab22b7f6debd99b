subroutine scaled(n, x, y)
  integer, intent(in) :: n
  real(8), intent(in) :: x(n)
  real(8), intent(out) :: y
  integer :: i
  y = 1
  do i = 1, n
    y = y*sin(y + x(i))
  end do
  y = y/maxval(x)
end subroutine scaled
