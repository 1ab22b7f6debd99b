! activity head=f independent=x dependent=y
! run x=2.0
! why other
subroutine f(x, y)
  real :: x, y, shared, unused
  common /c/ shared, unused
  shared = x**2
  unused = 1.0
  call g
  y = shared
end subroutine

subroutine g
  real :: other, idle
  common /c/ other, idle
  other = sin(other)
  idle = idle + 1.0
end subroutine
