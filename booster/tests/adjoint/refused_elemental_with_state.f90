! What an IMPURE elemental procedure keeps for the next element is lost to a derivative that takes
! all elements as one step, and so it is refused; where it is called for scalars nothing is, nor where
! it keeps nothing.
module counting
  implicit none
  integer :: count = 0
contains
  impure elemental subroutine raise(a)
    real(8), intent(inout) :: a
    count = count + 1
    a = a**count
  end subroutine raise

  impure elemental function keeps_nothing(a) result(r)
    real(8), intent(in) :: a
    real(8) :: r
    if (a < 0.0d0) print *, 'negative'
    r = a*a
  end function keeps_nothing
end module counting

subroutine elements(x, y)
  use counting
  implicit none
  real(8), intent(in) :: x(3)
  real(8), intent(out) :: y
  real(8) :: r(3)
  r = keeps_nothing(x)
  call raise(r(1))
  call raise(r)
  y = sum(r*r)
end subroutine elements
