module m
  implicit none
  private
  public :: run
  integer, parameter :: dp = kind(1d0), n = 2
  real(dp), parameter :: c(n) = [1.0_dp, 2.0_dp]
  integer, parameter :: unused = 3
  real(dp), parameter :: a = 0.5_dp, b = 2*a, d = b*a + b, e = a*b - d
  enum, bind(c)
    enumerator :: red = 1, green
  end enum
  interface scale
    module procedure scale_one, scale_all
  end interface scale
  abstract interface
    real(dp) function fun(x)
      import :: dp
      real(dp), intent(in) :: x
    end function fun
  end interface
contains
  subroutine run(x, y)
    real(dp), intent(in) :: x(n)
    real(dp), intent(out) :: y
    real(dp) :: t(n)
    procedure(fun), pointer :: f
    f => helper
    t = c*x*green + e*x**2
    call scale(t)
    call scale(t(1))
    y = sum(t) + f(t(1))
  end subroutine run
  subroutine scale_one(x)
    real(dp), intent(inout) :: x
    x = 2*x
  end subroutine scale_one
  subroutine scale_all(x)
    real(dp), intent(inout) :: x(:)
    x = 2*x
  end subroutine scale_all
  real(dp) function helper(x)
    real(dp), intent(in) :: x
    helper = x*other(x)
  end function helper
  real(dp) function other(x)
    real(dp), intent(in) :: x
    other = x
  end function other
end module m
