! A statement function has one text for all its calls: what it reads has a derivative in each, zero where the variable was given
! a constant, by an assignment or by a call.
module statement_functions_of_constants
  implicit none
  real(8) :: cs
contains
  subroutine setc()
    cs = 0.3d0
  end subroutine
  subroutine seta(a)
    real(8), intent(out) :: a
    a = 0.4d0
  end subroutine
  subroutine p(x, y)
    real(8), intent(in) :: x(2)
    real(8), intent(inout) :: y
    real(8) :: t, bend, a
    bend(a) = sin(a*t)*cs
    t = x(1)*y
    cs = x(2)
    y = y*bend(x(2))
    call setc()
    call seta(t)
    y = y + bend(x(1))
  end subroutine p
end module statement_functions_of_constants
