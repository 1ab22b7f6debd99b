module shelf
  implicit none
  type :: book
    real(8) :: weight
    type(book), pointer :: next => null()
  end type
  type :: note
    real(8), allocatable :: lines(:)
  end type
  type(book), pointer :: first => null()
  type(note), allocatable :: notes(:)
contains
  subroutine add(weight)
    real(8), intent(in) :: weight
    type(book), pointer :: one
    allocate(one)
    one%weight = weight
    one%next => first
    first => one
  end subroutine
end module

subroutine fill(x, y)
  use shelf
  implicit none
  real(8), intent(in) :: x(3)
  real(8), intent(out) :: y
  type(book), pointer :: one
  integer :: i
  do i = 1, 3
    call add(x(i)**2)
  end do
  allocate(notes(1))
  notes(1)%lines = x
  y = sum(notes(1)%lines**2)
  do while (associated(first))
    y = y*first%weight
    one => first%next
    deallocate(first)
    first => one
  end do
  deallocate(notes)
end subroutine
