! call head x=[0.7,1.3] y=0.5
! A dummy argument with VALUE is a copy: what is passed to it may be overwritten through another one.
module value_beside
  implicit none
contains
  subroutine grow(a, s)
    real(8), value :: a
    real(8), intent(inout) :: s
    s = s*a
    a = a*a
    s = s + a
  end subroutine
  subroutine head(x, y)
    real(8), intent(in) :: x(2)
    real(8), intent(inout) :: y
    real(8) :: s
    s = x(1)*x(2)
    call grow(s, s)
    y = y*s*s
  end subroutine
end module
