! Variables and procedures that are called as derivatives of others.
module m1
  real(8) :: v = 1
contains
  subroutine f1(a)
    real(8), intent(inout) :: a
    v = sin(v*a)
    a = a*v
  end subroutine
end module
module m
  use m1
  real(8) :: vc = 2, ve = 1, f1_b = 1, f1_d = 3
contains
  subroutine p(x, y)
    real(8), intent(in) :: x(3)
    real(8), intent(out) :: y
    real(8) :: t
    vc = x(1)*ve
    ve = x(2)
    f1_d = ve*v
    f1_b = x(3)
    t = vc*f1_b
    call f1(t)
    v = v*t
    call f1(ve)
    vc = vc*ve
    y = t*vc*ve*v*f1_b*f1_d
  end subroutine
end module
