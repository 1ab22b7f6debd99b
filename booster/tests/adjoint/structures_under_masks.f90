! call top n=3 x=[1,-2,3] y=[1,2,3]
module masked_structures
  implicit none
  type :: pair
    real(8) :: a, b
  end type pair
contains
  elemental function f(x) result(r)
    real(8), intent(in) :: x
    real(8) :: r
    r = x*x
  end function f
  subroutine top(n, x, y)
    integer, intent(in) :: n
    real(8), intent(inout) :: x(n), y(n)
    type(pair) :: v(n), w(n)
    integer :: i
    v%a = x
    v%b = y
    w = v
    where (x > 0) v%a = v%b*w%a
    where (x > 0)
      w = v
    elsewhere
      w%b = f(y)
    end where
    where (y > 1) y = f(x) + y
    where (y > 2) w(:)%b = w%a*v(n:1:-1)%b
    where (y > 2) v = w(n:1:-1)
    x = w%a*w%b + v%a
  end subroutine top
end module masked_structures
