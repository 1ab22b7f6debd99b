! call p x=[0.4,0.9,1.2] y=[0.5,0.0]
! A name of SELECT TYPE hides the variable that selects it, and another construct within names what
! it hides: what stages write there names what the program means.
module select_type_hides_its_subscript
  implicit none
  type :: base
    real(8) :: v = 0.61d0
    integer :: k = 2
  end type base
  type, extends(base) :: wide
    real(8) :: w = 0.53d0
  end type wide
  type :: cell
    class(base), allocatable :: o
  end type cell
  real(8) :: s = 0.3d0
contains
  subroutine scaled(u)
    real(8), intent(inout) :: u
    s = s*u + u**2
    u = u*s
  end subroutine scaled
  subroutine p(x, y)
    real(8), intent(in) :: x(3)
    real(8), intent(out) :: y(2)
    type(cell) :: c(3)
    type(base) :: q
    integer :: i
    do i = 1, 3
      allocate (wide :: c(i)%o)
      c(i)%o%v = x(i)*x(1)
      c(i)%o%k = mod(i, 3) + 1
    end do
    s = 0.3d0
    y = 0.0d0
    select type (q => c(q%k)%o)
    type is (base)
      y(1) = q%v
    type is (wide)
      q%w = sin(q%v)*q%w
      select type (q => c(q%k)%o)
      class is (wide)
        q%v = q%v*x(2)
        y(1) = q%v*q%w
      end select
      y(2) = q%w*q%v
    end select
    associate (s => c(2)%o)
      select type (s)
      type is (wide)
        call scaled(s%v)
        call scaled(s%v)
        y(2) = y(2) + s%v*s%w
      end select
    end associate
    y(2) = y(2)*s
  end subroutine p
end module select_type_hides_its_subscript
