subroutine bump()
  common /c/ k
  real(8) :: k
  k = k + 1
end subroutine
subroutine usek(x, y)
  real(8), intent(in) :: x
  real(8), intent(out) :: y
  common /c/ k
  real(8) :: k
  y = k*x*x
end subroutine
subroutine head(x, z)
  implicit none
  real(8) :: x, y, z
  call usek(x, y)
  call bump()
  call usek(y, z)
end subroutine
