! call p x=[0.5,1.5,0.75] y=0.5
! Functions give values to allocatable scalars, which are allocated by that: a variable, a structure, a component, one
! that is allocated already.
module results_for_allocatable_scalars
  implicit none
  type pair
    real(8) :: a = 0, b = 0
  end type
  type holder
    real(8), allocatable :: s
  end type
contains
  real(8) function squared(a)
    real(8), intent(in) :: a
    squared = a*a
  end function

  type(pair) function both(a, b)
    real(8), intent(in) :: a, b
    both%a = a*b
    both%b = sin(a)
  end function

  subroutine p(x, y)
    real(8), intent(in) :: x(3)
    real(8), intent(inout) :: y
    real(8), allocatable :: s
    type(pair), allocatable :: q
    type(holder) :: h
    integer :: k
    do k = 1, 2
      s = squared(x(k)*y)
      q = both(s, x(3))
      h%s = squared(q%a)
      q = both(h%s, q%b)
      y = y + s*q%a + q%b
    end do
    deallocate (s, h%s)
    s = squared(y)
    y = s*x(1)
  end subroutine
end module
