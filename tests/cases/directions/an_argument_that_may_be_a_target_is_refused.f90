! refused OX4255
module targets
  implicit none
  type row
    real(8), allocatable :: a(:)
  end type row
  real(8), pointer :: kept(:) => null()
contains
  subroutine keep(x, a)
    real(8), intent(in) :: x
    real(8), intent(inout), target :: a(:)
    a = a*x
    kept => a
  end subroutine keep
  subroutine p(x, y)
    real(8), intent(in) :: x(3)
    real(8), intent(out) :: y
    type(row), target :: r
    r%a = x
    call keep(x(2), r%a)
    kept = kept*x(1)
    y = sum(r%a)
    kept => null()
  end subroutine p
end module targets
