! call top p=0.9 q=1.7 y=0.5
! `solve` calls what it is given, and that overwrites variables of its host: of `root` or of `pair`. For `top`, and for
! each host the variables of the other, they are none, so that nothing hides a change from it. In `pair` the
! variable is needed behind the call with the value of the last step.
module passed_to_one
  implicit none
  abstract interface
    subroutine residual(x, f, slope)
      real(8), intent(in) :: x
      real(8), intent(out) :: f, slope
    end subroutine residual
  end interface
contains
  subroutine solve(f, x)
    procedure(residual) :: f
    real(8), intent(inout) :: x
    real(8) :: v, slope
    integer :: i
    do i = 1, 30
      call f(x, v, slope)
      x = x - v/slope
      if (abs(v) < 1d-10) exit
    end do
  end subroutine solve

  subroutine root(p, x)
    real(8), intent(in) :: p
    real(8), intent(out) :: x
    integer :: calls
    real(8) :: last
    calls = 0
    last = 0d0
    x = 1d0
    call solve(cubic, x)
    x = x + calls + last**2
  contains
    subroutine cubic(x, f, slope)
      real(8), intent(in) :: x
      real(8), intent(out) :: f, slope
      calls = calls + 1
      f = x**3 - p
      slope = 3d0*x**2
      last = f
    end subroutine cubic
  end subroutine root

  subroutine pair(p, q, x)
    real(8), intent(in) :: p, q
    real(8), intent(out) :: x
    real(8) :: last
    x = q
    call solve(square, x)
    x = x*sin(last)
    last = last*p
    call solve(square, x)
    x = x + last**2
  contains
    subroutine square(x, f, slope)
      real(8), intent(in) :: x
      real(8), intent(out) :: f, slope
      f = x**2 - p*q
      slope = 2d0*x
      last = x*p
    end subroutine square
  end subroutine pair

  subroutine top(p, q, y)
    real(8), intent(in) :: p, q
    real(8), intent(out) :: y
    real(8) :: a, b
    call root(p, a)
    call pair(a, q, b)
    y = a*b
  end subroutine top
end module passed_to_one
