subroutine choose(x, y, flag, z)
  real(8), intent(in), target :: x(2), y(2)
  logical, intent(in) :: flag
  real(8), intent(out) :: z
  real(8), pointer :: p(:)
  p => x
  z = p(1)**2
  if (flag) p => y
  z = z + p(2)**2
end subroutine choose
