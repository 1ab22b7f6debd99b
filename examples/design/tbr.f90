subroutine grow(n, x, y)
  integer, intent(in) :: n
  real(8), intent(in) :: x
  real(8), intent(out) :: y
  real(8) :: a, b
  integer :: i
  a = x
  b = 0
  do i = 1, n
    b = b + 3*a
    a = a*a
    if (a > 4) a = sin(a)
  end do
  y = a + b
end subroutine grow
