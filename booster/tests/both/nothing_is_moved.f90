! call plain n=2 x=[0.7,1.3] y=0.5
! call typed n=2 x=[0.7,1.3] y=0.5
! MOVE_ALLOC moves nothing where its source is not allocated: the derivative of its target is released as well.
module nothing_is_moved
  implicit none
  type :: shape
    real(8) :: v = 0.5d0
  end type shape
  type, extends(shape) :: round
    real(8) :: r = 2d0
  end type round
  type :: cell
    real(8), allocatable :: w(:)
    class(shape), allocatable :: o
  end type cell

contains

  subroutine take(from, to)
    integer, allocatable, intent(inout) :: from
    real(8), allocatable, intent(inout) :: to(:)
    real(8), allocatable :: none(:)

    if (.not. allocated(from)) call move_alloc(none, to)
  end subroutine take

  subroutine plain(n, x, y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(inout) :: y
    real(8), allocatable :: a(:), b(:), given(:)
    integer, allocatable :: flag
    type(cell) :: c
    integer :: k

    do k = 1, 3
      a = y*x
      c%w = a*x(1)
      b = a*x
      y = y + sum(b)*a(1) + c%w(2)
      if (k == 2) given = [1d0, 2d0]
      call move_alloc(given, a)
      if (allocated(a)) y = y*a(2)
      call move_alloc(given, c%w)
      if (allocated(c%w)) y = y*size(c%w)
      call take(flag, b)
      if (allocated(b)) y = y*b(1)
    end do
  end subroutine plain

  subroutine typed(n, x, y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(inout) :: y
    class(shape), allocatable :: third
    type(cell) :: c(2)
    integer :: k

    do k = 1, 2
      allocate(c(k)%o, source=round(v=x(k)*y, r=y))
      y = y + c(k)%o%v*x(1)
    end do
    call move_alloc(third, c(2)%o)
    if (allocated(c(2)%o)) y = y*c(2)%o%v
    allocate(third, source=round(r=3d0))
    call move_alloc(third, c(2)%o)
    y = y*c(2)%o%v
    select type (o => c(2)%o)
    type is (round)
      y = y*o%r*x(2)
      o%r = y
      y = y*o%r
    end select
  end subroutine typed
end module nothing_is_moved
