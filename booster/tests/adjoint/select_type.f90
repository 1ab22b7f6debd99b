! call several k=1 x=[1,2,3] y=2
! call several k=2 x=[1,2,3] y=2
! call several k=3 x=[1,2,3] y=2
! call left x=[1,2,3] y=2
module select_type
  implicit none
  type :: base
    real(8) :: a = 1
  end type base
  type, extends(base) :: wide
    real(8) :: b(3) = 2
    integer :: n = 2
  end type wide
  type, extends(wide) :: wider
    real(8), allocatable :: c(:)
  end type wider
  type :: cell
    class(base), allocatable :: item
  end type cell
contains
  subroutine step(v, x, y)
    class(base), intent(inout) :: v
    real(8), intent(inout) :: x(3)
    real(8), intent(inout) :: y
    integer :: i
    select type (v)
    type is (base)
      v%a = v%a*x(1)*y
    class is (wide)
      do i = 1, v%n
        v%b(i) = v%b(i)*x(i)*v%a
      end do
      y = y*v%b(1)
      select type (w => v)
      type is (wider)
        w%c = w%c*v%b
        v%a = sum(w%c)*v%a
      class default
        y = y**2
      end select
    class default
      error stop 'not known'
    end select
    y = y*v%a
  end subroutine step

  subroutine several(k, x, y)
    integer, intent(in) :: k
    real(8), intent(inout) :: x(3)
    real(8), intent(inout) :: y
    type(base) :: one
    type(wide) :: two
    type(wider) :: three
    integer :: i
    one%a = x(1)
    two%a = x(2)
    two%b = x
    three%a = x(3)
    three%b = x
    allocate (three%c(3))
    three%c = x(1)*x
    do i = 1, 2
      select case (k)
      case (1)
        call step(one, x, y)
      case (2)
        call step(two, x, y)
      case default
        call step(three, x, y)
      end select
    end do
    x(1) = x(1)*one%a*two%b(2)*three%a + sum(three%c)
  end subroutine several

  ! An arm that is left by jumps.
  subroutine early(v, x, y)
    class(base), intent(inout) :: v
    real(8), intent(inout) :: x(3)
    real(8), intent(inout) :: y
    integer :: i
    y = y*v%a
    select type (v)
    type is (wide)
      do i = 1, size(v%b)
        y = y*v%b(i)
        if (y > 50) return
        v%b(i) = v%b(i)*x(i)
      end do
      if (v%a > 2) then
        v%a = v%a*y
        return
      end if
      y = y*2*v%b(3)
    type is (base)
      v%a = v%a**2
    end select
    y = y*v%a
  end subroutine early

  subroutine left(x, y)
    real(8), intent(inout) :: x(3)
    real(8), intent(inout) :: y
    type(base) :: one
    type(wide) :: two
    one%a = x(1)
    two%a = x(2)*1.5d0
    two%b = 1/x
    call early(two, x, y)
    call early(one, x, y)
    two%a = 0.5d0*x(2)
    call early(two, x, y)
    y = y + sum(two%b)*one%a + two%a
  end subroutine left
end module select_type
