module trees
  implicit none
  type :: tree
    integer :: key
    type(tree), allocatable :: left, right
    real, pointer :: view(:) => null()
  end type tree
contains
  recursive subroutine insert(t, key)
    type(tree), allocatable, intent(inout) :: t
    integer, intent(in) :: key
    if (.not. allocated(t)) then
      allocate(t)
      t%key = key
    else if (key < t%key) then
      call insert(t%left, key)
    else
      call insert(t%right, key)
    end if
  end subroutine insert
  recursive subroutine walk(t)
    type(tree), allocatable, intent(in) :: t
    if (.not. allocated(t)) return
    call walk(t%left)
    print *, t%key
    call walk(t%right)
  end subroutine walk
end module trees

program forest
  use trees
  implicit none
  type(tree), allocatable :: root
  real, target :: x(4) = [1.0, 2.0, 3.0, 4.0]
  integer :: keys(5) = [3, 1, 4, 5, 2], i
  do i = 1, 5
    call insert(root, keys(i))
  end do
  call walk(root)
  root%left%view => x(2::2)
  root%left%view = root%left%view*10.0
  print *, x, associated(root%view), size(root%left%view)
end program forest
