subroutine p(x, y)
  implicit none
  real(8), intent(in) :: x
  real(8), intent(out) :: y
  external :: solve
  call solve(x, y)
end subroutine p
