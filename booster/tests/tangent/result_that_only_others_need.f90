! call p x=[0.4,0.9,1.2] y=0.5
! The result of a procedure is needed of others alone that may be called in its place: its derivative
! has a value all the same, since what it is passed to reads it.
module result_that_only_others_need
  implicit none
  type :: base
    real(8) :: v = 0.61d0
  contains
    procedure :: bump => base_bump
    procedure :: step => base_step
    procedure :: fill => base_fill
  end type base
  type, extends(base) :: wide
    real(8) :: w = 0.53d0
  contains
    procedure :: bump => wide_bump
    procedure :: run => wide_run
  end type wide
contains
  function base_bump(self) result(r)
    class(base), intent(inout) :: self
    real(8) :: r
    r = 0.3d0*self%v
    self%v = sin(self%v)
  end function base_bump
  function wide_bump(self) result(r)
    class(wide), intent(inout) :: self
    real(8) :: r
    r = self%w*self%v
  end function wide_bump
  subroutine base_step(self, u)
    class(base), intent(inout) :: self
    real(8), intent(inout) :: u
    u = sin(u + self%v)
    self%v = self%v**2
  end subroutine base_step
  subroutine base_fill(self)
    class(base), intent(inout) :: self
    real(8) :: s
    s = self%bump()
    call self%step(s)
  end subroutine base_fill
  subroutine wide_run(self, u)
    class(wide), intent(inout) :: self
    real(8), intent(out) :: u
    u = cos(self%bump())
    self%w = self%w*u
  end subroutine wide_run
  subroutine p(x, y)
    real(8), intent(in) :: x(3)
    real(8), intent(out) :: y
    type(base) :: a
    type(wide) :: b
    real(8) :: u
    a%v = x(1)*x(2)
    call a%fill()
    b%v = x(2)
    call b%run(u)
    call b%step(u)
    y = a%v*x(3) + u*b%w
  end subroutine p
end module result_that_only_others_need
