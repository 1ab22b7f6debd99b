module state
  implicit none
  integer, parameter :: dp = kind(1d0), n = 3
  real(dp), save :: a(n) = 1.0_dp
  real(dp), allocatable :: b(:)
  real(dp), pointer :: c(:) => null()
  integer :: count = 0
contains
  subroutine set(x)
    real(dp), intent(in) :: x(n)
    a = x
    count = count + 1
  end subroutine set
  pure elemental real(dp) function twice(x)
    real(dp), intent(in) :: x
    twice = 2*x
  end function twice
end module state

module model
  use state, only: dp, a, set, double => twice
  implicit none
  private
  public :: run
contains
  subroutine run(x, y)
    real(dp), intent(in) :: x(3)
    real(dp), intent(out) :: y
    call set(x)
    y = sum(double(a))
  end subroutine run
end module model

subroutine top(x, y)
  use model, only: run
  implicit none
  double precision, intent(in) :: x(3)
  double precision, intent(out) :: y
  call run(x, y)
end subroutine top
