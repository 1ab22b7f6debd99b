! call top n=3 x=[0.5,1.5,2] y=0
module imp
  implicit none
  real(8) :: total = 0.0d0
contains
  impure elemental subroutine add(a)
    real(8), intent(inout) :: a
    if (a > 100.0d0) print *, 'too large'
    a = a*a*total
  end subroutine add
  elemental function sq(a) result(r)
    real(8), intent(in) :: a
    real(8) :: r
    r = a*a
  end function sq
end module imp
subroutine top(n, x, y)
  use imp
  implicit none
  integer, intent(in) :: n
  real(8), intent(inout) :: x(n)
  real(8), intent(out) :: y
  real(8) :: m(2, 2)
  total = x(1)
  call add(x)
  m = 2.0d0
  m(1, :) = sq(x(1:2))
  m = sq(m)*x(3)
  call add(m(:, 1))
  total = total*x(1)
  y = total + sum(m) + x(2)
end subroutine top
