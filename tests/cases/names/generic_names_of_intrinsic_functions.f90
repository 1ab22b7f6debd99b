! Generic names of the program that are names of intrinsic functions, which stages call.
module m1
  interface spread
    module procedure s1
  end interface
  interface sum
    module procedure s2
  end interface
  interface sqrt
    module procedure s3
  end interface
contains
  pure function s1(a, d, n) result(r)
    real(8), intent(in) :: a
    integer, intent(in) :: d, n
    real(8) :: r(n)
    r = a*d*2
  end function
  pure real(8) function s2(a)
    real(8), intent(in) :: a(:)
    s2 = a(1)
  end function
  pure elemental real(8) function s3(a)
    real(8), intent(in) :: a
    s3 = a*a
  end function
end module
module m
  use m1, only: sum, spread
contains
  subroutine p(x, y)
    use m1, only: sqrt
    real(8), intent(in) :: x(3)
    real(8), intent(out) :: y
    real(8) :: a(3), t
    t = x(1)*x(2)
    a = t
    a = a*x*t
    y = norm2(a)*product(a)*dot_product(a,x) + asin(t/10) + sum(a)
    a(1:2) = t*t
    a = a*norm2(a)
    y = y*minval(a) + sqrt(t)
  end subroutine
end module
