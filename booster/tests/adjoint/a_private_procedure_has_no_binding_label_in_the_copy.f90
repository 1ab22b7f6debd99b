! call top x=[0.3,0.7] y=0
! A program has each binding label once: the copy of a PRIVATE procedure that the derivative module needs has none.
module labelled
  use, intrinsic :: iso_c_binding, only: c_double
  implicit none
  private
  public :: top
contains
  subroutine top(x, y) bind(c, name='labelled_top')
    real(c_double), intent(in) :: x(2)
    real(c_double), intent(out) :: y
    real(c_double) :: w(2)
    call helper(x, w)
    y = w(1)**3*sin(x(2)) + w(2)
  end subroutine top
  subroutine helper(x, w) bind(c, name='labelled_helper')
    real(c_double), intent(in) :: x(2)
    real(c_double), intent(out) :: w(2)
    w = x**2 + exp(x)
  end subroutine helper
end module labelled
