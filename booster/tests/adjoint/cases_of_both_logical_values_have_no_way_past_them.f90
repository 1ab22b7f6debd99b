! call p x=[1.5,0.5,0.25] y=0
! Where there is a case for each logical value, no default is added to number the way that control takes.
module both_logical_values
  implicit none
contains
  subroutine p(x, y)
    real(8), intent(in) :: x(3)
    real(8), intent(out) :: y
    logical :: large
    integer :: i
    y = 1d0
    do i = 1, 3
      large = x(i)*y > 0.6d0
      select case (large)
      case (.TRUE.)
        y = y*sin(x(i))
      case (.false.)
        y = y + x(i)**2*y
      end select
      select case (y > 1d0)
      case (.false.)
        y = y*x(1)
      end select
    end do
  end subroutine p
end module both_logical_values
