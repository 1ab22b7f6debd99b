! Active expressions as actual arguments are computed before the call; what has no derivative stays.
module procedures
  implicit none
  type :: pair
    real :: a = 0.0, b = 0.0
  end type pair
contains
  subroutine scale(n, factor, x, shift)
    integer, intent(in) :: n
    real, intent(in) :: factor
    real, intent(inout) :: x(n)
    real, intent(in), optional :: shift
    x = factor*x
    if (present(shift)) x = x + shift
  end subroutine scale

  subroutine add(x, y, total)
    real, intent(in) :: x(:), y(:)
    real, intent(out) :: total
    total = sum(x) + dot_product(x, y)
  end subroutine add

  subroutine increment(x, by)
    real, intent(inout) :: x
    real, intent(in) :: by
    x = x + by
    x = x + by
  end subroutine increment

  real function first(p)
    type(pair), intent(in) :: p
    first = p%a
  end function first

  subroutine calls(n, x, y, k)
    integer, intent(in) :: n, k
    real, intent(inout) :: x(n), y
    call scale(n - 1 + 1, 2.0, x)
    call scale(n, y + 1.0, x, shift=-y)
    call scale(n, real(k), x)
    call scale(size(x(1:n)), (y), x(:))
    call add(x, 2.0*x, y)
    call add([x(1), y], [1.0, 2.0], y)
    call add((x), x(n:1:-1), y)
    call increment(y, (y))
    y = first(pair(y, 1.0)) + first(pair(a=2.0, b=3.0))
  end subroutine calls
end module procedures

program main
  use procedures
  implicit none
  real :: x(3) = [1.0, 2.0, 3.0], y = 0.5
  call calls(3, x, y, 2)
  print '(4es16.8)', x, y
end program main
