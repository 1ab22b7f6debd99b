! Procedures that are called as derivatives of others.
module m1
contains
  subroutine f1(a)
    real(8), intent(inout) :: a
    a = a*a*sin(a)
  end subroutine
end module
module m
  use m1, only: f1
contains
  subroutine f1_b(a)
    real(8), intent(inout) :: a
    a = sin(a)*a
  end subroutine
  subroutine f1_d(a)
    real(8), intent(inout) :: a
    a = sin(a)*a*a
  end subroutine
  subroutine p(x, y)
    real(8), intent(in) :: x(3)
    real(8), intent(out) :: y
    real(8) :: t
    t = x(1)
    call f1(t)
    t = t*x(2)
    call f1_b(t)
    call f1(t)
    call f1_d(t)
    y = t*x(3)
  end subroutine
end module
