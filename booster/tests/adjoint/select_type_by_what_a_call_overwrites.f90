! call p x=[0.4,0.9,1.2] y=0.5
! What SELECT TYPE narrows has its own name, whatever the call overwrites of the subscript that
! selects it: its component is recorded, not the object.
module select_type_by_what_a_call_overwrites
  implicit none
  type :: base
    real(8) :: v = 0.61d0
    integer :: k = 2
  contains
    procedure :: bump => base_bump
  end type base
  type, extends(base) :: wide
    real(8) :: w = 0.53d0
  end type wide
  type :: rack
    class(base), allocatable :: a(:)
  contains
    procedure :: adv
  end type rack
contains
  function base_bump(self, u) result(r)
    class(base), intent(inout) :: self
    real(8), intent(in) :: u
    real(8) :: r
    r = u*self%v
    self%k = self%k + 1
  end function base_bump
  subroutine adv(self, u)
    class(rack), intent(inout) :: self
    real(8), intent(inout) :: u
    select type (z => self%a(self%a(2)%k))
    class is (wide)
      u = z%bump(u*self%a(z%k)%v)
    end select
  end subroutine adv
  subroutine p(x, y)
    real(8), intent(in) :: x(3)
    real(8), intent(out) :: y
    type(rack) :: c
    real(8) :: u
    allocate (wide :: c%a(3))
    u = x(1)
    c%a(2)%v = x(2)
    c%a(3)%v = x(3)*x(3)
    call c%adv(u)
    call c%adv(u)
    y = u*u
  end subroutine p
end module select_type_by_what_a_call_overwrites
