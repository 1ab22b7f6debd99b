module constants
  implicit none
  integer, parameter :: wp = kind(1.0d0)
  real(wp), parameter :: pi = 3.14159265358979_wp, e = 2.718281828_wp
  integer :: calls = 0
end module constants

module shapes
  use constants, only: wp, circle_constant => pi, calls
  implicit none
contains
  function area(r) result(a)
    real(wp), intent(in) :: r
    real(wp) :: a
    a = circle_constant*r**2
    calls = calls + 1
  end function area
end module shapes

program use_them
  use shapes, surface => area
  use constants, euler => e
  implicit none
  real(wp) :: e
  e = surface(2.0_wp)
  print *, e, euler, pi, calls
end program use_them
