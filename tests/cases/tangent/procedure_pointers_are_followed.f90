! Procedure pointers as variables, arguments and results of choice; dummy procedures.
module functions
  implicit none
  abstract interface
    function scalar(x) result(f)
      real(8), intent(in) :: x
      real(8) :: f
    end function
  end interface
  procedure(scalar), pointer :: chosen => null()
contains
  function cube(x) result(f)
    real(8), intent(in) :: x
    real(8) :: f
    f = x**3
  end function
  function wave(x) result(f)
    real(8), intent(in) :: x
    real(8) :: f
    f = sin(2d0*x)
  end function
  subroutine choose(which)
    logical, intent(in) :: which
    if (which) then
      chosen => cube
    else
      chosen => wave
    end if
  end subroutine
  function twice(f, x) result(r)
    procedure(scalar) :: f
    real(8), intent(in) :: x
    real(8) :: r
    r = f(f(x))
  end function
end module

subroutine head(n, x, y)
  use functions
  implicit none
  integer, intent(in) :: n
  real(8), intent(in) :: x(n)
  real(8), intent(out) :: y(n)
  procedure(scalar), pointer :: p
  call choose(.true.)
  y(1) = chosen(x(1))*x(2)
  call choose(.false.)
  y(2) = twice(chosen, x(2)) + twice(cube, x(3))
  p => wave
  if (associated(p, chosen)) p => cube
  y(3) = p(x(3)) + y(1)
end subroutine
