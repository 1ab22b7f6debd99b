module state
  real(8) :: u(10)
  integer :: step
end module
subroutine advance(f)
  use state
  real(8) :: f, g
  common /c/ g
  step = step + 1
  u(step) = u(step)*g
  g = f*g
end subroutine
subroutine head(f)
  use state
  real(8) :: f, g
  common /c/ g
  g = f + 1.0
  f = g*u(step)
  call advance(f)
  f = f*g
  call advance(f)
  g = 1.0
end subroutine
