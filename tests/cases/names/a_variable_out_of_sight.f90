! A variable that only its module shows, beside another module's of the same name, which a call overwrites.
module m1
  real(8) :: v
contains
  subroutine f1(a)
    real(8), intent(inout) :: a
    a = a*v
    v = sin(v)*a
  end subroutine
  subroutine init(a)
    real(8), intent(in) :: a
    v = a
  end subroutine
end module
module m
  use m1, only: f1, init
  real(8) :: v
contains
  subroutine p(x, y)
    real(8), intent(in) :: x(3)
    real(8), intent(out) :: y
    real(8) :: t
    v = x(1)
    t = x(2)
    call init(x(3))
    call f1(t)
    y = t*v
    call f1(y)
  end subroutine
end module
