! call head x=[0.7,1.3,0.9,0.4] y=[0.5,0.2]
! SELECT TYPE of one object within an arm of another: the derivative has a name of its own in each.
module twice_narrowed
  implicit none
  type :: base
    real(8) :: v = 0.7d0
  end type
  type, extends(base) :: e1
    real(8) :: r = 0.4d0
  end type
contains
  subroutine f(self, u)
    class(base), intent(inout) :: self
    real(8), intent(inout) :: u
    select type (l => self)
    type is (e1)
      u = u*l%r + self%v
      select type (z => self)
      type is (e1)
        z%r = u*z%v
      end select
      u = u + sin(l%r)
    end select
  end subroutine
  subroutine head(x, y)
    real(8), intent(in) :: x(4)
    real(8), intent(out) :: y(2)
    type(e1) :: d
    d%v = x(1)
    d%r = x(2)
    y(1) = x(3)
    call f(d, y(1))
    y(2) = d%r*x(4)
  end subroutine
end module
