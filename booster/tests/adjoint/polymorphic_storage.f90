! call arrays k=1 x=[1,2,3] y=2
! call arrays k=2 x=[1,2,3] y=2
! call again k=1 x=[1,2,3] y=2
! call again k=2 x=[1,2,3] y=2
! call moved k=1 x=[1,2,3] y=2
! call moved k=2 x=[1,2,3] y=2
! call held k=1 x=[1,2,3] y=2
! call held k=2 x=[1,2,3] y=2
! call sourced k=1 x=[1,2,3] y=2
! call sourced k=2 x=[1,2,3] y=2
! call assigned k=1 x=[1,2,3] y=2
! call assigned k=2 x=[1,2,3] y=2
! What is allocated with one of several types: arrays, other types in the same variable, MOVE_ALLOC, a
! component, SOURCE. Adjoints get the type of their originals; what is released is recorded with its type.
module polymorphic_storage
  implicit none
  type :: base
    real(8) :: a = 1
  end type base
  type, extends(base) :: wide
    real(8) :: b(3) = 2
  end type wide
  type :: cell
    class(base), allocatable :: item
  end type cell
contains
  subroutine arrays(k, x, y)
    integer, intent(in) :: k
    real(8), intent(inout) :: x(3)
    real(8), intent(inout) :: y
    class(base), allocatable :: v(:)
    integer :: i
    if (k == 1) then
      allocate (base :: v(0:2))
    else
      allocate (wide :: v(0:2))
    end if
    do i = 0, 2
      v(i)%a = x(i + 1)*y
    end do
    select type (v)
    type is (wide)
      do i = 0, 2
        v(i)%b = x*v(i)%a
        v(i)%a = v(i)%a*sum(v(i)%b)
      end do
    end select
    do i = 0, 2
      y = y + v(i)%a**2
    end do
  end subroutine arrays

  subroutine again(k, x, y)
    integer, intent(in) :: k
    real(8), intent(inout) :: x(3)
    real(8), intent(inout) :: y
    class(base), allocatable :: v
    integer :: i
    do i = 1, 2
      if (mod(i, 2) == mod(k, 2)) then
        allocate (wide :: v)
      else
        allocate (base :: v)
      end if
      v%a = x(i)*y
      y = y*v%a
      select type (v)
      type is (wide)
        v%b = x*y
        y = y + sum(v%b)*v%a
        v%b = v%b**2
      end select
      deallocate (v)
    end do
  end subroutine again

  subroutine moved(k, x, y)
    integer, intent(in) :: k
    real(8), intent(inout) :: x(3)
    real(8), intent(inout) :: y
    class(base), allocatable :: v, w
    allocate (base :: w)
    w%a = x(1)
    y = y*w%a
    if (k == 1) then
      allocate (base :: v)
    else
      allocate (wide :: v)
    end if
    v%a = x(2)*y
    call move_alloc(v, w)
    y = y*w%a**2
    w%a = w%a*x(3)
    y = y + w%a
  end subroutine moved

  subroutine held(k, x, y)
    integer, intent(in) :: k
    real(8), intent(inout) :: x(3)
    real(8), intent(inout) :: y
    type(cell) :: c
    if (k == 1) then
      allocate (base :: c%item)
    else
      allocate (wide :: c%item)
    end if
    c%item%a = x(1)*y
    call scaled(c%item, x, y)
    call scaled(c%item, x, y)
    y = y*c%item%a
  end subroutine held

  subroutine scaled(v, x, y)
    class(base), intent(inout) :: v
    real(8), intent(in) :: x(3)
    real(8), intent(inout) :: y
    y = y*v%a
    v%a = v%a*x(2)*y
    select type (v)
    type is (wide)
      v%b = v%b*x*v%a
      y = y + sum(v%b)
    end select
  end subroutine scaled

  subroutine sourced(k, x, y)
    integer, intent(in) :: k
    real(8), intent(inout) :: x(3)
    real(8), intent(inout) :: y
    class(base), allocatable :: v
    class(base), allocatable :: w
    if (k == 1) then
      allocate (v, source=base(x(1)*y))
    else
      allocate (v, source=wide(x(1)*y, x*x(2)))
    end if
    allocate (w, source=v)
    w%a = w%a*v%a
    select type (w)
    type is (wide)
      y = y*sum(w%b)
    end select
    y = y*w%a
  end subroutine sourced

  subroutine assigned(k, x, y)
    integer, intent(in) :: k
    real(8), intent(inout) :: x(3)
    real(8), intent(inout) :: y
    class(base), allocatable :: v, w
    type(wide) :: z
    z%a = x(2)
    z%b = x*y
    if (k == 1) then
      v = base(x(1)*y)
    else
      v = z
    end if
    y = y*v%a
    w = v
    w%a = w%a**2
    v = w
    select type (v)
    type is (wide)
      y = y*sum(v%b)
    end select
    y = y + v%a
  end subroutine assigned
end module polymorphic_storage
