subroutine p(x, y, d)
  implicit none
  real(8), intent(in) :: x(2, 3)
  integer, intent(in) :: d
  real(8), intent(out) :: y(3)
  y = 0
  y(1:size(x, 3 - d)) = maxval(x, d)
end subroutine p
