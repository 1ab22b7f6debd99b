! call p x=[1.5,0.5] y=0
! The last round of a loop with literal bounds is known; the number has the kind that the bounds have.
module bounds_of_kinds
  implicit none
contains
  subroutine p(x, y)
    real(8), intent(in) :: x(2)
    real(8), intent(out) :: y
    integer(8) :: k
    integer(2) :: h
    y = x(1)
    do k = 4000000000_8, 4000000004_8, 2
      y = y*sin(x(2)*real(k - 3999999999_8, 8))
    end do
    do k = 10000000000_8, 1_8, -5000000000_8
      y = y*cos(x(1)*real(k/5000000000_8, 8))
    end do
    do h = 30000_2, 32000_2, 999_2
      y = y + y**2*x(2)*real(h, 8)/30000
    end do
  end subroutine p
end module bounds_of_kinds
