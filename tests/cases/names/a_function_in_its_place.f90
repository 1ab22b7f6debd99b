! A function of the caller's module has the name of what the call overwrites.
module m1
  real(8) :: g(2) = 2
contains
  subroutine f1(a)
    real(8), intent(inout) :: a
    a = sin(a)*g(1)*a
    g = g*a
  end subroutine
end module
module m
  use m1, only: f1
contains
  real(8) function g(k)
    integer, intent(in) :: k
    g = k*0.25d0
  end function
  subroutine p(x, y)
    real(8), intent(in) :: x(3)
    real(8), intent(out) :: y
    real(8) :: t
    t = x(1)*g(1)
    call f1(t)
    y = t*x(3)*g(2)
    t = y*x(2)
    call f1(t)
    y = t*y*g(2)
  end subroutine
end module
