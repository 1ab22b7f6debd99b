! call p n=3 x=[0.7,1.3,0.9] y=0.5
! An index of a section names an array constructor or an array of constants: it has a variable of its own, as gfortran 12 does
! not end where both sides of an assignment have such an index.
module sections_with_lists
  implicit none
  type :: row
    real(8) :: c(3), d(3, 3)
  end type row
  integer, parameter :: list(2) = [2, 1]
contains
  subroutine p(n, x, y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(inout) :: y
    real(8) :: b(3, 3)
    type(row) :: o(3)
    integer :: k, m(2)

    b = y
    m = [1, 2]
    do k = 1, 3
      o(k)%c = x*k
      o(k)%d = y*k
    end do
    do k = 1, 2
      b(minval([k, 2]), :) = x*y
      y = y + sum(b(maxval(list*k) - 2*k + 1, :)*x)
      y = y + sum(b(count(list >= k), 2:3)) + sum(b(dot_product(m, list) - 3, :))
      y = y + sum(b(minval([k, 3]), list)) + sum(o(minval([k, 2]))%c*x)
      o(sum([k, 1]))%d(2, :) = y*x
      y = y + sum(o(maxval([k, 1]))%d(2, :)) + b(minval([k, 3]), 1)
      call scale(b(:, minval([k, 3])), x(k))
    end do
    where (x > 0) b(1, :) = b(1, :)*x
    y = y + sum(b)
  end subroutine p
  subroutine scale(v, s)
    real(8), intent(inout) :: v(3)
    real(8), intent(in) :: s

    v = v*s
  end subroutine scale
end module sections_with_lists
