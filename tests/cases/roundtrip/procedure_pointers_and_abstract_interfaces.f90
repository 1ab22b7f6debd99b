module integrands
  implicit none
  abstract interface
    function integrand(x) result(y)
      real, intent(in) :: x
      real :: y
    end function integrand
  end interface
  type :: problem
    procedure(integrand), pointer, nopass :: f => null()
    real :: lo = 0.0, hi = 1.0
  end type problem
contains
  function square(x) result(y)
    real, intent(in) :: x
    real :: y
    y = x*x
  end function square
  function cube(x) result(y)
    real, intent(in) :: x
    real :: y
    y = x**3
  end function cube
  real function midpoint(f, lo, hi, n)
    procedure(integrand) :: f
    real, intent(in) :: lo, hi
    integer, intent(in) :: n
    integer :: i
    real :: h
    h = (hi - lo)/real(n)
    midpoint = 0.0
    do i = 1, n
      midpoint = midpoint + h*f(lo + (real(i) - 0.5)*h)
    end do
  end function midpoint
end module integrands

program procpointers
  use integrands
  implicit none
  procedure(integrand), pointer :: g
  type(problem) :: p
  g => square
  print *, midpoint(g, 0.0, 1.0, 4), g(3.0)
  p%f => cube
  g => p%f
  print *, midpoint(p%f, p%lo, p%hi, 8), p%f(2.0), g(2.0), associated(g, cube)
end program procpointers
