! The same, of functions of arrays.
module m1
  interface transpose
    module procedure t1
  end interface
  interface matmul
    module procedure t2
  end interface
  interface shape
    module procedure t3
  end interface
contains
  pure function t1(a) result(r)
    real(8), intent(in) :: a(:,:)
    real(8) :: r(ubound(a,2), ubound(a,1))
    r = 1
  end function
  pure function t2(a, b) result(r)
    real(8), intent(in) :: a(:,:), b(:,:)
    real(8) :: r(ubound(a,1), ubound(b,2))
    r = 7
  end function
  pure function t3(a) result(r)
    real(8), intent(in) :: a(:,:)
    integer :: r(2)
    r = [ubound(a,2), ubound(a,1)]
  end function
end module
module m
  use m1, only: transpose, shape
contains
  subroutine p(x, y)
    real(8), intent(in) :: x(3)
    real(8), intent(out) :: y
    real(8) :: a(2,2), b(2,2)
    a = reshape([x, x(1)], [2,2])
    b = matmul(a, a)*x(2)
    y = sum(b*a)
  end subroutine
end module
