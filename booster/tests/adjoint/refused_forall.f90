! An inner FORALL that changes what its own header reads, and a mask that calls a function.
subroutine top(n, x, y)
  implicit none
  integer, intent(in) :: n
  real(8), intent(inout) :: x(n), y(n, n)
  integer :: i, j
  forall (i=1:n)
    forall (j=1:n, y(i, j) > 0) y(j, i) = y(i, j)*x(i)
  end forall
  forall (i=1:n)
    where (large(y(:, i))) y(:, i) = y(:, i)*x(i)
  end forall
contains
  pure function large(a) result(r)
    real(8), intent(in) :: a(:)
    logical :: r(size(a))
    r = a > y(1, 1)
  end function large
end subroutine top
