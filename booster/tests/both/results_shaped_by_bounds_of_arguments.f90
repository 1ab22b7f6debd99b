! The bounds of a result are those of dummy arguments, which begin elsewhere than what is passed.
subroutine head(x, y)
  implicit none
  real(8), intent(in) :: x(4)
  real(8), intent(out) :: y
  y = sum([x(2), outer(x, x)]) + sum(last(x, 2)**2) + sum(picked(x, [3, 2]))
contains
  pure function outer(a, b) result(c)
    real(8), intent(in) :: a(:), b(0:)
    real(8) :: c(lbound(b, 1):ubound(b, 1), size(a))
    integer :: i
    do i = 1, size(a)
      c(:, i) = a(i)*b
    end do
  end function outer
  function last(a, n) result(c)
    integer, intent(in) :: n
    real(8), intent(in) :: a(-n:0)
    real(8) :: c(size(a) - lbound(a, 1) + ubound(a, 1))
    c = a(-1)*a(0)
  end function last
  pure function picked(a, k) result(c)
    real(8), intent(in) :: a(:)
    integer, intent(in) :: k(0:)
    real(8) :: c(k(1))
    c = a(1)*a(2)
  end function picked
end subroutine head
