module lists
  implicit none
  type :: node
    integer :: value = 0
    type(node), pointer :: next => null()
  end type node
contains
  subroutine push(head, value)
    type(node), pointer, intent(inout) :: head
    integer, intent(in) :: value
    type(node), pointer :: fresh
    allocate(fresh)
    fresh%value = value
    fresh%next => head
    head => fresh
  end subroutine push
  subroutine clear(head)
    type(node), pointer, intent(inout) :: head
    type(node), pointer :: dead
    do while (associated(head))
      dead => head
      head => head%next
      deallocate(dead)
    end do
  end subroutine clear
end module lists

program list
  use lists
  implicit none
  type(node), pointer :: head, p
  integer :: i, total
  nullify(head)
  do i = 1, 5
    call push(head, i*i)
  end do
  total = 0
  p => head
  do
    if (.not. associated(p)) exit
    total = total*2 + p%value
    p => p%next
  end do
  print *, total, head%next%next%value
  call clear(head)
  print *, associated(head)
end program list
