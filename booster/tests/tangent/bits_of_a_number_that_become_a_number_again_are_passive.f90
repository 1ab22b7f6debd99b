! call p x=0.7 y=0
! along x=1.0
subroutine p(x, y)
  implicit none
  real(8), intent(in) :: x
  real(8), intent(out) :: y
  integer(8) :: bits
  bits = transfer(2*x, 1_8)
  y = transfer(bits, 1.0d0) + 3*x
end subroutine p
