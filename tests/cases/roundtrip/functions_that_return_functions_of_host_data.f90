module integrate
  implicit none
contains
  recursive real function simpson(f, a, b, depth) result(s)
    interface
      real function f(x)
        real, intent(in) :: x
      end function f
    end interface
    real, intent(in) :: a, b
    integer, value :: depth
    real :: m
    m = 0.5*(a + b)
    if (depth == 0) then
      s = (b - a)/6.0*(f(a) + 4.0*f(m) + f(b))
    else
      s = simpson(f, a, m, depth - 1) + simpson(f, m, b, depth - 1)
    end if
  end function simpson
end module integrate

program host_functions
  use integrate
  implicit none
  real :: p
  p = 2.0
  print *, simpson(power, 0.0, 1.0, 3)
  p = 3.0
  print *, simpson(power, 0.0, 1.0, 3), simpson(f=constant, a=0.0, b=2.0, depth=0)
contains
  real function power(x)
    real, intent(in) :: x
    power = x**p
  end function power
  real function constant(x)
    real, intent(in) :: x
    constant = p + 0.0*x
  end function constant
end program host_functions
