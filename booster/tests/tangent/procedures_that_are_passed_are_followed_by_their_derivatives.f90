! call p x=[0.5,1.5]
! along x=[1,-1]
module quad
  implicit none
  abstract interface
    function integrand(t) result(v)
      real(8), intent(in) :: t
      real(8) :: v
    end function integrand
  end interface
contains
  subroutine p(x, y)
    real(8), intent(in) :: x(2)
    real(8), intent(out) :: y(2)
    procedure(integrand), pointer :: f
    call trapeze(square, x(1), x(2), y(1))
    f => cube
    y(2) = f(x(1))*y(1)
  end subroutine p
  subroutine trapeze(f, a, b, s)
    procedure(integrand) :: f
    real(8), intent(in) :: a, b
    real(8), intent(out) :: s
    s = (f(a) + f(b))/2*(b - a)
  end subroutine trapeze
  function square(t) result(v)
    real(8), intent(in) :: t
    real(8) :: v
    v = t*t
  end function square
  function cube(t) result(v)
    real(8), intent(in) :: t
    real(8) :: v
    v = t**3
  end function cube
end module quad
