! call top n=2 x=[1,2] y=[1,2]
module called_under_a_mask
  implicit none
contains
  elemental function f(x) result(r)
    real(8), intent(in) :: x
    real(8) :: r
    r = x*x
  end function f
  subroutine top(n, x, y)
    integer, intent(in) :: n
    real(8), intent(inout) :: x(n), y(n)
    where (x > 1) y = f(x)
  end subroutine top
end module called_under_a_mask
