! Between two calls that overwrite values of passive components, other calls give these components another allocation:
! by MOVE_ALLOC, by an assignment of the structure, by INTENT(OUT), by DEALLOCATE, two levels down.
module tables
  implicit none
  type :: table
    integer, allocatable :: next(:)
    logical, allocatable :: used(:)
    real(8) :: scale = 1
  end type
  type(table), save :: spare
contains
  subroutine visit(t, x)
    type(table), intent(inout) :: t
    real(8), intent(inout) :: x(:)
    integer :: i
    do i = lbound(t%next, 1), ubound(t%next, 1)
      t%next(i) = mod(t%next(i) + 1, 4) + 1
      t%used(i) = .not. t%used(i)
      if (t%used(i)) x(t%next(i)) = x(t%next(i))*t%scale
      t%scale = t%scale + 0.1d0*x(t%next(i))**2
    end do
  end subroutine
  subroutine shift(t, x)
    type(table), intent(inout) :: t
    real(8), intent(inout) :: x
    integer, allocatable :: h(:)
    allocate (h(0:size(t%next)), source=2)
    call move_alloc(h, t%next)
    deallocate (t%used)
    allocate (t%used(0:ubound(t%next, 1)))
    t%used = .true.
    x = x*x*t%scale
  end subroutine
  subroutine replace(t, x)
    type(table), intent(out) :: t
    real(8), intent(inout) :: x
    t%next = [3, 1]
    t%used = [.true., .true.]
    t%scale = sin(x)
    x = x*1.5d0
  end subroutine
  subroutine replace_deep(t, x)
    type(table), intent(inout) :: t
    real(8), intent(inout) :: x
    real(8) :: s
    s = t%scale
    call replace(t, x)
    t%scale = t%scale*s
  end subroutine
  subroutine take(t, x)
    type(table), intent(inout) :: t
    real(8), intent(inout) :: x
    spare = t
    t = table(next=[1, 2, 3], used=[.true., .false., .true.], scale=x)
    x = x*spare%scale
  end subroutine
end module

subroutine p(x, y)
  use tables
  implicit none
  real(8), intent(inout) :: x(4)
  real(8), intent(out) :: y
  type(table) :: t
  integer :: k
  t%next = [1, 2]
  t%used = [.false., .true.]
  do k = 1, 2
    call visit(t, x)
    call shift(t, x(k))
    call visit(t, x)
    call replace_deep(t, x(3))
    call visit(t, x)
    call take(t, x(4))
    call visit(t, x)
    call visit(spare, x)
  end do
  y = sum(x) + t%scale + spare%scale
end subroutine
