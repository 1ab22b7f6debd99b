subroutine blocks(x)
  real(8), intent(inout) :: x(4)
  real(8) :: a, b, c(2), w(4)
  real(8), target :: t(4)
  real(8), pointer :: p(:)
  common /state/ a, b
  equivalence (w(3), c(1))
  p => t
  p = x
  a = x(1)
  call other(a)
  w(3) = t(2)
  x(1) = c(1) + a
end subroutine blocks

subroutine other(r)
  real(8), intent(inout) :: r
  real(8) :: u(2)
  common /state/ u
  r = 2*u(1) + u(2)
end subroutine other
