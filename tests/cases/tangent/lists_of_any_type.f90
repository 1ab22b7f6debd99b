! directions OX4255
! CLASS(*), polymorphic pointers, SELECT TYPE with intrinsic types, sourced allocation.
module any_list
  implicit none
  type :: node
    class(*), allocatable :: value
    type(node), pointer :: next => null()
  end type
contains
  subroutine add(first, value)
    type(node), pointer, intent(inout) :: first
    class(*), intent(in) :: value
    type(node), pointer :: made
    allocate(made)
    allocate(made%value, source=value)
    made%next => first
    first => made
  end subroutine
  function total(first) result(t)
    type(node), pointer, intent(in) :: first
    real(8) :: t
    type(node), pointer :: p
    t = 0d0
    p => first
    do while (associated(p))
      select type (v => p%value)
      type is (real(8))
        t = t + v*v
      type is (integer)
        t = t + real(v, 8)
      end select
      p => p%next
    end do
  end function
end module
subroutine head(n, x, y)
  use any_list
  implicit none
  integer, intent(in) :: n
  real(8), intent(in) :: x(n)
  real(8), intent(out) :: y(n)
  type(node), pointer :: list
  list => null()
  call add(list, x(1))
  call add(list, 3)
  call add(list, x(2)*x(3))
  y = x
  y(1) = total(list)
end subroutine
