! call twice_advanced x=[1.5,0.5,0.75] y=0
! A module declares a block by names of its own, and the procedures that are called do not use the module. The adjoint
! leaves the block as the program leaves it, be it by the names of the module.
module carrier
  implicit none
  real(8) :: u = 0.5d0, v = 0.75d0
  integer :: k = 1
  common /carried/ u, v, k
end module carrier

subroutine advance(a, y)
  implicit none
  real(8), intent(in) :: a
  real(8), intent(out) :: y
  real(8) :: w(2)
  integer :: k
  common /carried/ w, k
  y = w(2)*a
  w(2) = w(2)*a
  k = k + 1
end subroutine advance

subroutine twice_advanced(x, y)
  implicit none
  real(8), intent(in) :: x(3)
  real(8), intent(out) :: y
  real(8) :: z
  call advance(x(1), z)
  call advance(x(3), y)
  y = y*x(2) + z
end subroutine twice_advanced
