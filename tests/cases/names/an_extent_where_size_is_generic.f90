! The extent of a function's result is the size of an argument, where the caller has a generic name size.
module m1
contains
  function f(a) result(r)
    real(8), intent(in) :: a(:)
    real(8) :: r(size(a))
    r = a*a
    r = sin(r)*r
  end function
end module
module m2
  interface size
    module procedure e2
  end interface
contains
  pure integer function e2(j)
    real(8), intent(in) :: j(:)
    e2 = ubound(j,1) - 1
  end function
end module
module m
  use m1, only: f
  use m2, only: size
contains
  subroutine p(x, y)
    real(8), intent(in) :: x(3)
    real(8), intent(out) :: y
    y = sum(f(x)*f(x*x))*size(x)
  end subroutine
end module
