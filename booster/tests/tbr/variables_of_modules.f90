! call head f=0.75 state::u=[1,2,3,4,5,6,7,8,9,10] state::step=2 state::g=0.5
module state
  real(8) :: u(10), g
  integer :: step
contains
  subroutine advance(f)
    real(8) :: f
    step = step + 1
    u(step) = u(step)*g
    g = f*g
  end subroutine
end module
subroutine head(f)
  use state
  real(8) :: f
  f = f*g*u(step)
  call advance(f)
  f = f*g*u(step)
  call advance(f)
  f = f*u(3)
  g = 1.0
end subroutine
