! call p x=[0.7,1.1,0.9] y=0.5
! A component gets a passive value, the structure is copied, and a function that differentiates with respect to all
! components reads the copy: what it leaves in the derivative of that component goes no further.
module structure_copied_with_passive_part
  implicit none
  type :: base
    real(8) :: v = 0.36d0, w = 1
  end type base
contains
  subroutine fr1(w, u)
    real(8), intent(in) :: w
    real(8), intent(out) :: u
    u = 0.5d0*w
  end subroutine fr1
  function val(self) result(r)
    type(base), intent(in) :: self
    real(8) :: r
    r = 0.2d0*self%v*self%w
  end function val
  subroutine setb(o, u)
    type(base), intent(out) :: o
    real(8), intent(in) :: u
    o = base(v=u, w=u)
  end subroutine setb
  subroutine p(x, y)
    real(8), intent(in) :: x(3)
    real(8), intent(out) :: y
    type(base) :: c1, ta2, tb
    type(base), allocatable :: g, h
    call setb(c1, x(1))
    call setb(tb, x(2))
    call fr1(0.3d0, c1%v)
    ta2 = c1
    y = val(ta2)*x(3) + val(tb)
    call setb(c1, x(1)*x(2))
    c1%v = 0.4d0
    allocate (h)
    h = c1
    call move_alloc(h, g)
    y = y + val(g)
  end subroutine p
end module structure_copied_with_passive_part
