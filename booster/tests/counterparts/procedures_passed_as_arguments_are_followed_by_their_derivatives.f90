module quad
  implicit none
  abstract interface
    real function fun(x)
      real, intent(in) :: x
    end function fun
  end interface
  procedure(fun), pointer :: current => null()
contains
  subroutine integrate(f, a, b, y, g)
    procedure(fun) :: f
    real, intent(in) :: a, b
    real, intent(out) :: y
    procedure(fun), optional :: g
    procedure(fun), pointer :: p
    p => f
    current => p
    y = (b - a)*(p(a) + f(b))/2
    if (present(g)) y = y + g(a)
  end subroutine integrate
end module quad

subroutine old(f, n, x, y)
  implicit none
  external :: f
  integer, intent(in) :: n
  real, intent(in) :: x(n)
  real, intent(out) :: y
  real :: g
  external g
  interface
    subroutine ext(a, b)
      real, intent(in) :: a(:)
      real, intent(out) :: b
    end subroutine ext
    real function dummy(z)
      real, intent(in) :: z
    end function dummy
  end interface
  call f(n, x, y)
  call ext(x, y)
  y = y + dummy(y)
  call old2(g, y)
end subroutine old

subroutine old2(h, y)
  implicit none
  interface
    real function h(z)
      real, intent(in) :: z
    end function h
  end interface
  real, intent(inout) :: y
  y = h(y)
end subroutine old2

subroutine ext(a, b)
  implicit none
  real, intent(in) :: a(:)
  real, intent(out) :: b
  b = a(1)
end subroutine ext

subroutine top(x, y)
  use quad, only: integrate
  implicit none
  real, intent(in) :: x
  real, intent(out) :: y
  call integrate(square, 0.0, x, y)
contains
  real function square(z)
    real, intent(in) :: z
    square = z*z
  end function square
end subroutine top
