! Upper bounds as extents, and generic names of the program that nobody calls.
module m1
  interface sin
    module procedure mysin
  end interface
  interface log
    module procedure mylog
  end interface
  interface size
    module procedure mysize
  end interface
contains
  pure real(8) function mysin(a)
    real(8), intent(in) :: a
    mysin = a*2
  end function
  pure real(8) function mylog(a)
    real(8), intent(in) :: a
    mylog = a*3
  end function
  pure integer function mysize(a)
    real(8), intent(in) :: a(:)
    mysize = ubound(a,1)/2
  end function
end module
module m
  use m1
contains
  function f(a) result(r)
    real(8), intent(in) :: a(:)
    real(8) :: r(ubound(a,1))
    r = cos(a)
    r = r*r
  end function
  subroutine p(x, y)
    real(8), intent(in) :: x(3)
    real(8), intent(out) :: y
    real(8) :: z(3)
    z = f(x)*f(x*x)
    y = cos(x(1))*x(2)**x(3)*sum(z)
  end subroutine
end module
