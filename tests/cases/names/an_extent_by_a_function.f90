! The extent of a function's result is a function of an argument; the caller has a variable of the argument's name.
module m
  interface ext
    module procedure e1
  end interface
contains
  pure integer function e1(j)
    integer, intent(in) :: j
    e1 = j + 1
  end function
  function f(a, n) result(r)
    real(8), intent(in) :: a
    integer, intent(in) :: n
    real(8) :: r(ext(n))
    r = a
    r(2) = a*a
    r = sin(r)*r
  end function
  subroutine p(x, y)
    real(8), intent(in) :: x(3)
    real(8), intent(out) :: y
    integer :: n
    n = 5
    y = sum(f(x(1), 2)*f(x(2), 2))*x(3)*n
  end subroutine
end module
