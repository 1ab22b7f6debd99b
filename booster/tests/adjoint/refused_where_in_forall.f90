! call top n=3 x=[1,-2,3] y=[1,2,3,4,-5,6,7,8,9]
subroutine top(n, x, y)
  implicit none
  integer, intent(in) :: n
  real(8), intent(inout) :: x(n)
  real(8), intent(inout) :: y(n, n)
  integer :: i
  forall (i=1:n)
    where (y(:, i) > 2)
      y(:, i) = y(:, i)*x(i)
    elsewhere
      y(:, i) = x
    end where
    x(i) = x(i)*2
  end forall
  forall (i=1:n, x(i) > 0)
    where (y(i, :) > 2) y(i, :) = y(i, :)**2
  end forall
end subroutine top
