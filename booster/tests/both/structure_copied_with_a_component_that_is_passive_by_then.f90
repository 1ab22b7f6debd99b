! call copied x=[0.7,1.1,0.9] y=0.5
! call filled x=[0.7,1.1,0.9] y=0.5
! A component gets a passive value, by an assignment or by a procedure, and the structure is copied. The function that reads
! the copy differentiates with respect to all components for another caller. So the derivative that the component has
! had must be zero before the copy.
module structure_copied_with_a_component
  implicit none
  type :: pair
    real(8) :: v = 0.36d0, w = 1
  end type pair
contains
  subroutine put(w, u)
    real(8), intent(in) :: w
    real(8), intent(out) :: u
    u = 0.5d0*w
  end subroutine put
  function product_of(self) result(r)
    type(pair), intent(in) :: self
    real(8) :: r
    r = 0.2d0*self%v*self%w
  end function product_of
  subroutine set(o, u)
    type(pair), intent(out) :: o
    real(8), intent(in) :: u
    o = pair(v=u, w=u)
  end subroutine set
  subroutine copied(x, y)
    real(8), intent(in) :: x(3)
    real(8), intent(out) :: y
    type(pair) :: a, b, c
    call set(a, x(1))
    call set(b, x(2))
    a%v = 0.4d0
    y = product_of(b)
    c = a
    y = x(3) + product_of(c)
  end subroutine copied
  subroutine filled(x, y)
    real(8), intent(in) :: x(3)
    real(8), intent(out) :: y
    type(pair) :: a, b
    type(pair), allocatable :: c, d
    call set(a, x(1))
    call set(b, x(2)*x(3))
    call put(0.4d0, a%v)
    y = product_of(b)
    c = a
    call move_alloc(c, d)
    y = y + x(3) + product_of(d)
  end subroutine filled
end module structure_copied_with_a_component
