! call head x=[0.7,1.3,0.9] y=0.5
! An operator of a module is an external procedure, whose name is PRIVATE.
module private_operator
  implicit none
  interface operator(.dot.)
    function edot(a, b) result(r)
      real(8), intent(in) :: a(:), b(:)
      real(8) :: r
    end function
  end interface
  private :: edot
contains
  subroutine head(x, y)
    real(8), intent(in) :: x(3)
    real(8), intent(inout) :: y
    y = y*(x .dot. x(3:1:-1))*x(1)
  end subroutine
end module
function edot(a, b) result(r)
  implicit none
  real(8), intent(in) :: a(:), b(:)
  real(8) :: r
  r = sum(a*b)
end function
