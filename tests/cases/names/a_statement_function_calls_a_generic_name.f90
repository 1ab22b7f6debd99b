! A statement function calls what has another meaning in an internal procedure.
module m
  interface h
    module procedure h1
  end interface
contains
  real(8) function h1(a)
    real(8), intent(in) :: a
    h1 = sin(a)*a
  end function
  subroutine p(x, y)
    real(8), intent(in) :: x(3)
    real(8), intent(out) :: y
    real(8) :: g, a
    g(a) = h(a)*a
    y = x(1)*x(2)
    call in(y)
    y = y*x(3)
  contains
    subroutine in(t)
      real(8), intent(inout) :: t
      interface h
        real(8) function e2(a)
          real(8), intent(in) :: a
        end function
      end interface
      t = t*g(t)
      t = t*h(t)
    end subroutine
  end subroutine
end module
real(8) function e2(a)
  real(8), intent(in) :: a
  e2 = exp(-a)
  e2 = e2*a
end function
