! call p x=[1.2,0.7,0.4] y=0.5
! Arrays that a transformation makes come into being where they are allocated, not where a compiler
! finds that they are not; a constant for a VALUE argument is passed as it is, in split calls, too.
module bonds
  implicit none
  type :: bond
    real(8) :: a = 1, b(2) = 0
  end type
contains
  subroutine bend(s, k)
    class(bond), intent(inout) :: s
    real(8), intent(in) :: k
    s%a = s%a*k
    s%b = s%b + s%a*[k, k*k]
  end subroutine

  function crossed(v, w) result(c)
    real(8), intent(in) :: v(:), w(:)
    real(8) :: c(size(v))
    c = v*w(size(w):1:-1)
  end function

  recursive subroutine halve(s, v, depth, ways)
    real(8), intent(inout) :: s
    real(8), intent(in) :: v
    integer, value :: depth
    integer, intent(inout) :: ways
    s = s*v
    ways = ways + depth
    depth = depth - 1
    if (depth > 0) call halve(s, s*v, depth, ways)
  end subroutine
end module

subroutine p(x, y)
  use bonds
  implicit none
  real(8), intent(in) :: x(:)
  real(8), intent(inout) :: y
  type(bond) :: s
  real(8) :: v(3)
  integer :: i, ways
  s%a = x(1)
  do i = 1, 2
    call bend(s, x(2))
  end do
  v = x
  v(2:3) = crossed(v(1:2), x(2:3))
  ways = 1
  call halve(y, x(3), 3, ways)
  y = y*s%a*s%b(1) + sum(v**2)*ways
end subroutine
