! call p x=[1.5,0.5] y=0
! That it is called is all that is said of a dummy procedure, under IMPLICIT NONE.
module called_dummies
  implicit none
contains
  subroutine p(x, y)
    real(8), intent(in) :: x(2)
    real(8), intent(out) :: y
    real(8) :: t
    t = x(1)
    call applied(doubled, t)
    call applied(squared, t)
    y = t*x(2)
  end subroutine p

  subroutine applied(what, t)
    real(8), intent(inout) :: t
    call what(t)
    t = sin(t)
  end subroutine applied

  subroutine doubled(t)
    real(8), intent(inout) :: t
    t = 2d0*t
  end subroutine doubled

  subroutine squared(t)
    real(8), intent(inout) :: t
    t = t**2
  end subroutine squared
end module called_dummies
