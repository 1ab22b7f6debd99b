! call p x=[0.7,1.1,0.9] y=0.5
! A module variable that a callee overwrites is recorded by its own name, although SELECT TYPE gives it
! another one further down; the component of an extension of what is passed as the object.
module module_object_narrowed_later
  implicit none
  type :: base
    real(8) :: v = 0.8d0
    integer :: k = 1
  contains
    procedure :: bump => base_bump
  end type base
  type, extends(base) :: e1
    real(8) :: f(2) = [0.4d0, 0.3d0]
  contains
    procedure :: bump => e1_bump
  end type e1
  type :: cell
    class(base), allocatable :: o
  end type cell
  type(cell), save :: gc
contains
  function base_bump(self, u) result(r)
    class(base), intent(inout) :: self
    real(8), intent(in) :: u
    real(8) :: r
    r = 0.3d0*self%v*u
    gc%o%k = 3 - gc%o%k
  end function base_bump
  function e1_bump(self, u) result(r)
    class(e1), intent(inout) :: self
    real(8), intent(in) :: u
    real(8) :: r
    r = self%f(gc%o%k)*u
    gc%o%k = 3 - gc%o%k
    gc%o%v = gc%o%v*sin(r)
  end function e1_bump
  subroutine p(x, y)
    real(8), intent(in) :: x(3)
    real(8), intent(out) :: y
    class(base), allocatable :: a
    integer :: i
    allocate (e1 :: gc%o)
    gc%o%v = x(1)
    allocate (a, source=e1(v=x(2), f=x(1)*[1d0, 0.5d0]))
    y = 0
    select type (z => a)
    type is (e1)
      do i = 1, 3
        z%v = 0.4d0*z%bump(x(3))*z%v
        z%f(gc%o%k) = z%f(gc%o%k)*z%v
      end do
      y = z%v + z%f(1)
    end select
    select type (o => gc%o)
    class is (e1)
      y = y + o%f(o%k)*o%v
    end select
    deallocate (gc%o)
  end subroutine p
end module module_object_narrowed_later
