subroutine p(x, y)
  implicit none
  real(8), intent(in) :: x
  real(8), intent(out) :: y
  integer(8) :: bits
  bits = transfer(2*x, bits)
  y = transfer(bits, y)
end subroutine p
