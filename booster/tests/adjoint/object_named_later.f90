! call head x=[0.7,1.3,0.9,0.4] y=[0.5,0.2]
! A callee changes an object that SELECT TYPE names later: it is recorded by its own name.
module named_later
  implicit none
  type :: base
    real(8) :: v = 0.5d0
  contains
    procedure :: step => base_step
  end type base
  type, extends(base) :: e1
    real(8) :: r = 0.5d0
  contains
    procedure :: step => e1_step
  end type e1
contains
  subroutine base_step(self, u)
    class(base), intent(inout) :: self
    real(8), intent(inout) :: u
    self%v = sin(self%v*u)
    u = u*self%v
  end subroutine
  subroutine e1_step(self, u)
    class(e1), intent(inout) :: self
    real(8), intent(inout) :: u
    u = sin(u)
    call self%base%step(u)
    select type (q => self)
    type is (e1)
      q%r = sin(q%r*u)
    end select
    u = cos(u*self%r)
  end subroutine
  subroutine head(x, y)
    real(8), intent(in) :: x(4)
    real(8), intent(out) :: y(2)
    type(e1) :: d
    d%v = x(1)
    d%r = x(2)
    y(1) = x(3)
    call d%step(y(1))
    y(2) = d%v*x(4)
  end subroutine
end module
