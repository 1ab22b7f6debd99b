module shapes
  implicit none
  type shape
    integer :: id = 0
  end type shape
  type, extends(shape) :: circle
    real :: r
  end type circle
  type, extends(shape) :: box
    real :: a(2)
  end type box
contains
  subroutine area(s, list, y)
    class(shape), intent(in) :: s
    class(shape), intent(inout) :: list(:)
    real, intent(out) :: y
    integer :: i
    y = 0
    outer: select type (s)
    type is (circle)
      if (s%id > 3) exit outer
      y = s%r**2
    class is (box)
      y = s%a(1)*s%a(2)
    class default
      print *, s%id
    end select outer
    do i = 1, size(list)
      select type (one => list(i))
      type is (circle)
        y = y + one%r
        one%r = y
      end select
    end do
  end subroutine area
  subroutine any_rank(x)
    real, intent(inout) :: x(..)
    select rank (x)
    rank (0)
      x = 2*x
    rank (1)
      x = x + x(1)
    end select
  end subroutine any_rank
end module shapes
