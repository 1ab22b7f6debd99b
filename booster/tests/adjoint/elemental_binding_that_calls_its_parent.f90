! call p x=[0.7,1.2] y=0.0
! An elemental binding that calls the one it overrides comes to the procedure that tells types apart
! once more: that is RECURSIVE.
module elemental_bindings
implicit none
type :: a_t
  real(8) :: k = 1d0
contains
  procedure :: f => f0
end type
type, extends(a_t) :: b_t
  real(8) :: q = 0.5d0
contains
  procedure :: f => f1
end type
contains
elemental real(8) function f0(self, z)
  class(a_t), intent(in) :: self
  real(8), intent(in) :: z
  f0 = self%k*z
end function
elemental real(8) function f1(self, z)
  class(b_t), intent(in) :: self
  real(8), intent(in) :: z
  f1 = self%a_t%f(z) + self%q*z**2
end function
subroutine apply(a, z)
  class(a_t), intent(in) :: a
  real(8), intent(inout) :: z
  z = cos(z*a%f(z))
end subroutine
subroutine p(x, y)
  real(8), intent(in) :: x(2)
  real(8), intent(out) :: y
  type(b_t) :: b
  b%q = x(1)
  y = x(2)
  call apply(b, y)
end subroutine
end module elemental_bindings
