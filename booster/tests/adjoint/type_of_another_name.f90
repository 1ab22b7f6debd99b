! call drive x=[0.7,1.3] y=0.5
! A type has another name where its operators are used: temporaries are declared with that.
module quat
  implicit none
  private
  type, public :: q
    real(8) :: c(2) = 0
  end type
  interface operator(*)
    module procedure mul
  end interface
  public :: operator(*)
contains
  function mul(a, b) result(r)
    type(q), intent(in) :: a, b
    type(q) :: r
    r%c = a%c*b%c
  end function
end module
module m
  use quat, only: qq => q, operator(*)
  implicit none
contains
  subroutine drive(x, y)
    real(8), intent(in) :: x(2)
    real(8), intent(out) :: y
    type(qq) :: a
    a%c = x
    a = a*a*a
    y = a%c(1)*a%c(2)
  end subroutine
end module
