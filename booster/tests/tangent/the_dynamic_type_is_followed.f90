! call p x=[0.5,1.5]
! along x=[1,-1]
module dynamic
  implicit none
  type :: base
    real(8) :: a = 0
  end type base
  type, extends(base) :: wide
    real(8) :: b = 0
  end type wide
contains
  subroutine p(x, y)
    real(8), intent(in) :: x(2)
    real(8), intent(out) :: y(2)
    type(base) :: u
    type(wide) :: v
    u%a = x(1)
    v%a = x(2)
    v%b = x(1)*x(2)
    call size_of(u, y(1))
    call size_of(v, y(2))
  end subroutine p
  subroutine size_of(s, r)
    class(base), intent(in) :: s
    real(8), intent(out) :: r
    r = s%a**2
    select type (s)
    type is (wide)
      r = r + s%b*s%a
    end select
  end subroutine size_of
end module dynamic
