! A constant of the caller's module has the name of what the call overwrites.
module m1
  integer :: n = 1
contains
  subroutine f1(a)
    real(8), intent(inout) :: a
    a = sin(a)*n*a
    n = 3 - n
  end subroutine
end module
module m
  use m1, only: f1
  integer, parameter :: n = 3
contains
  subroutine p(x, y)
    real(8), intent(in) :: x(3)
    real(8), intent(out) :: y
    real(8) :: t
    t = x(1)
    call f1(t)
    y = t*x(n)
    t = y*x(2)
    call f1(t)
    y = t*y
  end subroutine
end module
