! activity head=f independent=x dependent=y
! run x=2.0 n=1
module functions
  abstract interface
    subroutine rule(a, b, r)
      real, intent(in) :: a, b
      real, intent(out) :: r
    end subroutine
  end interface
contains
  subroutine first(a, b, r)
    real, intent(in) :: a, b
    real, intent(out) :: r
    r = a
  end subroutine
  subroutine second(a, b, r)
    real, intent(in) :: a, b
    real, intent(out) :: r
    r = b
  end subroutine
  subroutine apply(g, u, v, r)
    procedure(rule) :: g
    real, intent(in) :: u, v
    real, intent(out) :: r
    call g(u, v, r)
  end subroutine
end module

subroutine f(x, n, y)
  use functions
  real, intent(in) :: x
  integer, intent(in) :: n
  real, intent(out) :: y
  if (n > 1) then
    call apply(first, x, 2.0, y)
  else
    call apply(second, 3.0, x, y)
  end if
end subroutine
