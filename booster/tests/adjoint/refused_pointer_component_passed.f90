! Both calls may reach both nodes, and an adjoint of its own could be passed to no pointer.
module list_m
  implicit none
  type node
    real(8) :: v
    type(node), pointer :: next => null()
  end type
contains
  subroutine total(p, s)
    type(node), pointer, intent(in) :: p
    real(8), intent(inout) :: s
    if (associated(p)) s = s*p%v
  end subroutine
end module
subroutine top(n, x, y)
  use list_m
  implicit none
  integer, intent(in) :: n
  real(8), intent(in) :: x(n)
  real(8), intent(out) :: y
  type(node), target :: a, b
  type(node), pointer :: p
  a%v = x(1)
  b%v = x(2)
  a%next => b
  p => a
  y = x(3)
  call total(p, y)
  call total(p%next, y)
end subroutine
