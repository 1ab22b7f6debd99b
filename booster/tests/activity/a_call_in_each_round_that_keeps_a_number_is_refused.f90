! activity head=p independent=x dependent=y
module state
  real(8) :: s = 0
  integer :: n = 0
contains
  real(8) function before(a) result(r)
    real(8), intent(in) :: a
    r = s
    s = a*a
  end function before
  real(8) function counted(a) result(r)
    real(8), intent(in) :: a
    n = n + 1
    r = a*n
  end function counted
  subroutine p(x, y)
    real(8), intent(in) :: x(3)
    real(8), intent(out) :: y
    integer :: i
    s = 1
    y = sum([(before(x(i)), i = 1, 3)]) + sum([(counted(x(i)), i = 1, 3)])
  end subroutine p
end module state
