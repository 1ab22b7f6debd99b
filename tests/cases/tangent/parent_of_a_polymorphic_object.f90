! The parent of an object is passed for a polymorphic dummy argument.
module parent_of_a_polymorphic_object
  implicit none
  type :: base
    real(8) :: a = 1
  end type base
  type, extends(base) :: wide
    real(8) :: b = 2
  end type wide
contains
  subroutine square(s)
    class(base), intent(inout) :: s
    s%a = 2*s%a**2
  end subroutine square
  subroutine pass_on(w)
    class(wide), intent(inout) :: w
    call square(w%base)
  end subroutine pass_on
end module parent_of_a_polymorphic_object
subroutine head(n, x, y)
  use parent_of_a_polymorphic_object
  implicit none
  integer, intent(in) :: n
  real(8), intent(in) :: x(n)
  real(8), intent(out) :: y(n)
  class(wide), allocatable :: w
  integer :: i
  allocate (w)
  do i = 1, n
    w%a = x(i)
    w%b = x(1)*x(i)
    call pass_on(w)
    y(i) = w%a*w%b
  end do
end subroutine head
