! MOVE_ALLOC, reallocation on assignment of variables and components, SOURCE and MOLD, deallocation.
module stores
  implicit none
  type :: row
    real(8), allocatable :: v(:)
  end type
  type :: table
    type(row), allocatable :: rows(:)
    real(8) :: weight
  end type
contains
  subroutine append(list, value)
    real(8), allocatable, intent(inout) :: list(:)
    real(8), intent(in) :: value
    real(8), allocatable :: longer(:)
    allocate(longer(size(list) + 1))
    longer(:size(list)) = list
    longer(size(list) + 1) = value
    call move_alloc(longer, list)
  end subroutine
end module

subroutine head(n, x, y)
  use stores
  implicit none
  integer, intent(in) :: n
  real(8), intent(in) :: x(n)
  real(8), intent(out) :: y(n)
  real(8), allocatable :: list(:), other(:), copy(:)
  type(table) :: t, u
  type(row), allocatable :: r
  integer :: i
  allocate(list(0))
  do i = 1, n
    call append(list, x(i)**2)
  end do
  other = [list, x(1)*x(2), 1d0]
  list = other(2:)
  t%weight = x(2)
  allocate(t%rows(2))
  t%rows(1)%v = x
  t%rows(2)%v = [(x(i)*real(i, 8), i = n, 1, -1)]
  t%rows(1)%v = t%rows(1)%v(2:3)*t%weight
  u = t
  u%rows(2)%v(1) = 4d0
  t%rows = [u%rows, t%rows(2)]
  allocate(r)
  r%v = u%rows(1)%v
  allocate(copy, source=r%v)
  deallocate(r)
  y(1) = sum(list) + sum(t%rows(3)%v)
  y(2) = sum(u%rows(2)%v*x) + u%weight
  y(3) = copy(1)*other(4) + real(size(t%rows), 8)
end subroutine
