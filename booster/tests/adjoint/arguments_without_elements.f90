! call p x=[0.5,1,2] s=0.3
! What an elemental function is called for has a value of its own where it has no elements to write down.
module g
  implicit none
  real(8), parameter :: c(3) = [1.0d0, 2.0d0, 3.0d0]
contains
  elemental function el(a, b, k) result(r)
    real(8), intent(in) :: a, b
    integer, intent(in) :: k
    real(8) :: r
    r = a*b**k
  end function el
  function numbers(n) result(r)
    integer, intent(in) :: n
    integer :: r(n)
    r = 2
    r(1) = 1
  end function numbers
  subroutine p(x, s)
    real(8), intent(inout) :: x(3), s
    integer :: ix(3)
    ix = [3, 1, 2]
    x = el(x*s, cshift(c(ix), 1), numbers(3))
    where (x > 0.0d0) x = el(x, x, 2)
    s = s + sum(el(x, reshape([2.0d0, s, 1.0d0], [3]), [1, 2, 1]) + ix)
  end subroutine p
end module g
