! refused OX2007: a statement function with sin, where a generic name sin is declared and would be called.
module m
contains
  subroutine p(x, y)
    real(8), intent(in) :: x(3)
    real(8), intent(out) :: y
    real(8) :: g, a
    g(a) = sin(a)*a
    y = x(1)*x(2)
    call in(y)
    y = y*x(3)
  contains
    subroutine in(t)
      real(8), intent(inout) :: t
      interface sin
        real(8) function e2(a)
          real(8), intent(in) :: a
        end function
      end interface
      t = t*g(t)
      t = t*sin(t)
    end subroutine
  end subroutine
end module
real(8) function e2(a)
  real(8), intent(in) :: a
  e2 = exp(-a)
  e2 = e2*a
end function
