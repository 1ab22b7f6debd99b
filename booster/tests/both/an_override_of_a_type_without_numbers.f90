! call head x=[0.7,1.1,0.4] y=[0,0]
!
! Of the types that override a binding one has no numbers: its object has no derivative, those of others have.
module limiters
  implicit none
  type, abstract :: limiter
  contains
    procedure(phi_of), deferred :: phi
  end type limiter
  abstract interface
    real(8) function phi_of(self, r)
      import :: limiter
      class(limiter), intent(in) :: self
      real(8), intent(in) :: r
    end function phi_of
  end interface
  type, extends(limiter) :: minmod
  contains
    procedure :: phi => phi_of_minmod
  end type minmod
  type, extends(limiter) :: van_leer
    real(8) :: beta = 1
  contains
    procedure :: phi => phi_of_van_leer
  end type van_leer
contains
  real(8) function phi_of_minmod(self, r)
    class(minmod), intent(in) :: self
    real(8), intent(in) :: r
    associate (unused => self); end associate
    phi_of_minmod = max(0d0, min(1d0, r))*r
  end function phi_of_minmod
  real(8) function phi_of_van_leer(self, r)
    class(van_leer), intent(in) :: self
    real(8), intent(in) :: r
    phi_of_van_leer = self%beta*(r + abs(r))/(1 + abs(r))
  end function phi_of_van_leer
end module limiters

subroutine head(x, y)
  use limiters
  implicit none
  real(8), intent(in) :: x(3)
  real(8), intent(out) :: y(2)
  class(limiter), allocatable :: l
  allocate(minmod :: l)
  y(1) = l%phi(x(1))
  deallocate(l)
  allocate(l, source=van_leer(beta=x(2)))
  y(2) = l%phi(x(3))
end subroutine head
