! A procedure and another module's generic name.
module m1
contains
  pure integer function ext(j)
    integer, intent(in) :: j
    ext = j
  end function
  function f(a) result(r)
    real(8), intent(in) :: a
    real(8) :: r(ext(3))
    r = a
    r(2) = a*a
    r = sin(r)*r
  end function
end module
module m2
  interface ext
    module procedure e2
  end interface
contains
  pure integer function e2(j)
    integer, intent(in) :: j
    e2 = j - 1
  end function
end module
module m
  use m1, only: f
  use m2, only: ext
contains
  subroutine p(x, y)
    real(8), intent(in) :: x(3)
    real(8), intent(out) :: y
    y = sum(f(x(1))*f(x(2)))*x(3)*ext(3)
  end subroutine
end module
