! call drive x=[0.7,1.3,0.9] y=0.5
! The adjoint of an allocatable component behind a pointer gets its allocation where the backward sweep comes to the
! assignment, if not before.
module lists
  implicit none
  type :: node
    real(8), allocatable :: v(:)
    real(8) :: w = 1
    type(node), pointer :: next => null()
  end type node
contains
  subroutine add(head, v)
    type(node), pointer, intent(inout) :: head
    real(8), intent(in) :: v(:)
    type(node), pointer :: new
    allocate (new)
    new%v = v
    new%w = v(1)
    new%next => head
    head => new
  end subroutine add
  function total(head) result(s)
    type(node), pointer, intent(in) :: head
    real(8) :: s
    s = head%w*head%next%w
    if (s > 100) s = s + head%v(1)
  end function total
  subroutine drive(x, y)
    real(8), intent(in) :: x(3)
    real(8), intent(inout) :: y
    type(node), pointer :: head, q
    integer :: i
    nullify (head)
    do i = 1, 3, 2
      call add(head, x(1:i))
    end do
    y = total(head)*y
    do while (associated(head))
      q => head%next
      deallocate (head)
      head => q
    end do
  end subroutine drive
end module lists
