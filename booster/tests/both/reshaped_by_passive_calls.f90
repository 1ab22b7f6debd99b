! call p x=[0.5,1.5,0.75] y=0.5
! Calls through which no derivative flows give variables another allocation by assignments and MOVE_ALLOC. All values
! are overwritten behind them, so nothing need be set to zero: the derivatives get the allocation all the same.
module reshaped_by_passive_calls
  implicit none
  type item
    real(8) :: v = 1
  end type
  type holder
    real(8), allocatable :: w(:)
  end type
  type(item), allocatable, save :: current
  real(8), allocatable, save :: buffer(:)
contains
  subroutine renew
    type(item), allocatable :: next
    allocate (next)
    call move_alloc(next, current)
  end subroutine

  subroutine grow(n)
    integer, intent(in) :: n
    integer :: i
    buffer = [(real(i, 8), i=1, n)]
  end subroutine

  subroutine extend(a)
    real(8), allocatable, intent(inout) :: a(:)
    a = [2d0, a(1), 3d0]
  end subroutine

  subroutine fill(h)
    type(holder), intent(inout) :: h
    h = holder([1d0, 2d0, 3d0])
  end subroutine

  subroutine p(x, y)
    real(8), intent(in) :: x(3)
    real(8), intent(inout) :: y
    real(8), allocatable :: a(:)
    type(holder) :: h
    integer :: k
    do k = 2, 3
      call renew
      current%v = x(1)*x(k)
      y = y + current%v**2
      call grow(k)
      buffer(:) = x(:k)*y
      y = y*sum(buffer)
    end do
    allocate (a(1))
    a(1) = 1
    call extend(a)
    a(:) = x*y
    call fill(h)
    h%w(:) = x*a
    y = y + sum(h%w)
  end subroutine
end module
