! flags: -std=legacy
! In place; an argument that is used twice is computed once. Where nothing has a derivative they stay.
module old
  implicit none
contains
  real function g(x)
    real, intent(in) :: x
    g = x + 1.0
  end function g

  subroutine s(n, x, y, k)
    integer, intent(in) :: n
    real, intent(inout) :: x(n), y
    integer, intent(inout) :: k
    real :: a, b, f, h
    integer :: i, next
    real(8) :: wide
    f(a, b) = a/b + y
    h(a) = a*a - f(a, 2.0)
    next(i) = modulo(i, n) + 1
    wide(a) = a
    k = next(k)
    y = 3.0*f(x(1), x(2) + 1.0)
    y = y - h(g(x(k)) + x(next(2)))
    y = real(wide(y/3.0)*2.0d0)
    if (h(y) > 0.0) y = 2.0*y
  end subroutine s
end module old

program main
  use old
  implicit none
  real :: x(3) = [1.0, 2.0, 3.0], y = 0.5
  integer :: k = 2
  call s(3, x, y, k)
  print '(es16.8, i4)', y, k
end program main
