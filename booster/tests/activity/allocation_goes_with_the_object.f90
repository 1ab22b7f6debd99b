! activity head=f independent=x dependent=y
! run x=2.0 n=3
module store
  real, allocatable :: field(:), idle(:)
contains
  subroutine prepare(n)
    integer, intent(in) :: n
    allocate(field(n))
  end subroutine
  subroutine other(n)
    integer, intent(in) :: n
    allocate(idle(n))
    idle = 1.0
  end subroutine
end module

subroutine f(x, n, y)
  use store
  real, intent(in) :: x
  integer, intent(in) :: n
  real, intent(out) :: y
  real, allocatable :: copy(:), moved(:)
  call prepare(n)
  call other(n)
  field = x
  allocate(copy, source=field)
  call move_alloc(copy, moved)
  y = sum(moved)*idle(1)
  deallocate(field, moved, idle)
end subroutine
