! call made k=1 x=[1,2,3] y=2
! call made k=2 x=[1,2,3] y=2
module select_type_allocated
  implicit none
  type :: base
    real(8) :: a = 1
  end type base
  type, extends(base) :: wide
    real(8) :: b(3) = 2
  end type wide
contains
  subroutine made(k, x, y)
    integer, intent(in) :: k
    real(8), intent(inout) :: x(3)
    real(8), intent(inout) :: y
    class(base), allocatable :: v
    if (k == 1) then
      allocate (base :: v)
    else
      allocate (wide :: v)
    end if
    v%a = x(2)
    select type (v)
    type is (wide)
      v%b = x*y
      y = y + v%a*sum(v%b)
    class default
      y = y*v%a
    end select
    y = y*v%a
  end subroutine made
end module select_type_allocated
