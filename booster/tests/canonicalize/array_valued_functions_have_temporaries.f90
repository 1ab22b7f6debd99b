! flags: -Wno-uninitialized -Wno-maybe-uninitialized
! Results of every shape: explicit, allocatable, pointer, elemental, of a derived type.
module results
  implicit none
  type :: point
    real :: x, y
  end type point
  real, target :: field(3) = [1.0, 2.0, 3.0]
contains
  function doubled(x) result(y)
    real, intent(in) :: x(:)
    real :: y(size(x))
    y = 2.0*x
  end function doubled

  function prefix(x, n) result(y)
    real, intent(in) :: x(:)
    integer, intent(in) :: n
    real, allocatable :: y(:)
    y = x(:n)
  end function prefix

  function scalar(x) result(y)
    real, intent(in) :: x
    real, allocatable :: y
    y = x + 1.0
  end function scalar

  function part(n) result(p)
    integer, intent(in) :: n
    real, pointer :: p(:)
    p => field(:n)
  end function part

  elemental real function bend(x)
    real, intent(in) :: x
    bend = x*x + 1.0
  end function bend

  type(point) function middle(a, b)
    type(point), intent(in) :: a, b
    middle = point(0.5*(a%x + b%x), 0.5*(a%y + b%y))
  end function middle

  subroutine use_them(x, y, p)
    real, intent(inout) :: x(3), y
    type(point), intent(inout) :: p
    real, allocatable :: z(:)
    real, pointer :: q(:)
    x = doubled(x) + 1.0
    x = doubled(x)
    y = sum(prefix(x, 2)) + scalar(y)
    z = prefix(x, 3)
    z = bend(z) + bend(y)
    q => part(2)
    y = y + sum(part(3)) + q(2)
    y = sum(bend(doubled(z)))
    x(1:2) = doubled(x(2:3))
    x(3) = bend(y)
    p = middle(p, middle(point(1.0, y), p))
  end subroutine use_them
end module results

program main
  use results
  implicit none
  real :: x(3) = [0.1, 0.2, 0.3], y = 0.5
  type(point) :: p = point(1.0, 2.0)
  call use_them(x, y, p)
  print '(3es16.8)', x, y, p
end program main
