! call p x=[0.4,0.9,1.2] y=[0.0,0.0]
! What the canonical form puts between two SELECT TYPE stands in the scope around both.
module select_type_behind_another
  implicit none
  type :: base
    real(8) :: v = 0.61d0
  end type base
  type, extends(base) :: wide
    real(8) :: w = 0.53d0
  end type wide
  type :: cell
    class(base), allocatable :: o
  end type cell
  type :: where_it_is
    integer :: k = 1
  end type where_it_is
contains
  subroutine p(x, y)
    real(8), intent(in) :: x(3)
    real(8), intent(out) :: y(2)
    type(cell) :: c(3)
    type(where_it_is), target :: t
    type(where_it_is), pointer :: pt
    integer :: i
    do i = 1, 3
      allocate (c(i)%o)
    end do
    pt => t
    y = 0.0d0
    c(1)%o%v = x(1)*x(2)
    select type (l => c(pt%k)%o)
    type is (base)
      y(1) = sin(l%v)
      t%k = 2
    type is (wide)
      y(1) = l%w
      t%k = 3
    end select
    select type (l => c(pt%k)%o)
    type is (base)
      l%v = l%v*x(3)
      y(2) = l%v**2
    end select
    select type (l => c(pt%k)%o)
    type is (wide)
      y(2) = l%w
    end select
  end subroutine p
end module select_type_behind_another
