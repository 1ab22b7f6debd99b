! Circles of three and four procedures that pass on arguments which nobody in them overwrites.
module rounds
  implicit none
contains
  recursive subroutine a(n, x, y)
    integer, intent(in) :: n
    real(8), intent(in) :: x
    real(8), intent(inout) :: y
    call b(n, x, y)
  end subroutine

  recursive subroutine b(n, x, y)
    integer, intent(in) :: n
    real(8), intent(in) :: x
    real(8), intent(inout) :: y
    y = y*x
    call c(n, x, y)
  end subroutine

  recursive subroutine c(n, x, y)
    integer, intent(in) :: n
    real(8), intent(in) :: x
    real(8), intent(inout) :: y
    if (n < 3) call a(n + 1, x, y)
    if (n == 1) call d(n + 1, y, x)
  end subroutine

  recursive subroutine d(n, y, x)
    integer, intent(in) :: n
    real(8), intent(in) :: x
    real(8), intent(inout) :: y
    y = y + sin(x)
    call a(n, x, y)
  end subroutine
end module rounds

subroutine p(x, y)
  use rounds
  implicit none
  real(8), intent(in) :: x
  real(8), intent(out) :: y
  y = 1
  call a(1, x, y)
end subroutine p
