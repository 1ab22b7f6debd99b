! Renames of two USE of one module count together.
module m1
  real(8) :: a = 1
end module
module m
  use m1
  use m1, b => a
contains
  subroutine p(x, y)
    real(8), intent(in) :: x(3)
    real(8), intent(out) :: y
    call r(x(1)*x(2))
    call q(y)
    y = y*x(3)
  end subroutine
  subroutine r(v)
    real(8), intent(in) :: v
    b = v
  end subroutine
  subroutine q(v)
    real(8), intent(out) :: v
    v = sin(b)*b
  end subroutine
end module
