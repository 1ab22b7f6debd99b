! refused OX4107: each statement function calls the one before twice, so that the text doubles with each.
module m
  implicit none
contains
  subroutine p(x, y)
    real(8), intent(in) :: x(2)
    real(8), intent(out) :: y
    real(8) :: z, w, f0, f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11, f12, f13
    f0(z) = z*x(2)
    f1(w) = sin(f0(w)) + f0(w*w)
    f2(w) = sin(f1(w)) + f1(w*w)
    f3(w) = sin(f2(w)) + f2(w*w)
    f4(w) = sin(f3(w)) + f3(w*w)
    f5(w) = sin(f4(w)) + f4(w*w)
    f6(w) = sin(f5(w)) + f5(w*w)
    f7(w) = sin(f6(w)) + f6(w*w)
    f8(w) = sin(f7(w)) + f7(w*w)
    f9(w) = sin(f8(w)) + f8(w*w)
    f10(w) = sin(f9(w)) + f9(w*w)
    f11(w) = sin(f10(w)) + f10(w*w)
    f12(w) = sin(f11(w)) + f11(w*w)
    f13(w) = sin(f12(w)) + f12(w*w)
    y = f2(x(1))
    if (y > 0) y = y + f13(x(1))*2
  end subroutine
end module
