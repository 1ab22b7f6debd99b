! Calls in one expression are computed before it, from left to right, inner ones first.
module functions
  implicit none
  integer :: count = 0
contains
  real function square(x)
    real, intent(in) :: x
    count = count + 1
    print *, 'square', count
    square = x*x
  end function square

  real(8) function cube(x) result(y)
    real(8), intent(in) :: x
    count = count + 1
    print *, 'cube', count
    y = x**3
  end function cube

  subroutine expressions(x, y, z)
    real, intent(inout) :: x, y
    real(8), intent(inout) :: z
    y = square(x) + 2.0*square(square(y) + x)
    ! A call that is the whole right-hand side stays.
    y = square(x)
    ! Its result is computed in another variable where it is of another type,
    z = square(x)
    ! or where the call looks at the variable.
    x = square(x)
    z = cube(z + 1.0d0)
    if (y > 0.0) y = -square(y)
  end subroutine expressions
end module functions

program main
  use functions
  implicit none
  real :: x = 1.5, y = 2.0
  real(8) :: z = 0.25d0
  call expressions(x, y, z)
  print '(3es16.8)', x, y, z
end program main
