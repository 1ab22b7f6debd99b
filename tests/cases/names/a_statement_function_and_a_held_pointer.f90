! The adjoint declares a type and a variable for what a pointer meant: before the statement function.
module m
contains
  subroutine p(x, y)
    real(8), intent(in) :: x(3)
    real(8), intent(out) :: y
    real(8), target :: a, b
    real(8), pointer :: q
    real(8) :: sq, u
    ! the square
    sq(u) = u*u
    a = x(1)
    b = x(2)
    q => a
    if (x(3) > 0.5d0) q => b
    q = sq(q)*x(3)
    q => a
    y = sq(q) + b
  end subroutine
end module
