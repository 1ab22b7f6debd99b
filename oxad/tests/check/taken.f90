! The names that derivatives of p would have are the program's own.
module taken
contains
  subroutine p(x, y)
    real(8), intent(in) :: x(3)
    real(8), intent(out) :: y
    y = x(1)
    call p_b(y, x(2))
    call p_d(y, x(3))
  end subroutine p
  subroutine p_b(a, b)
    real(8), intent(in) :: b
    real(8), intent(inout) :: a
    a = sin(a)*b
  end subroutine p_b
  subroutine p_d(a, b)
    real(8), intent(in) :: b
    real(8), intent(inout) :: a
    a = exp(a)*b
  end subroutine p_d
end module taken
