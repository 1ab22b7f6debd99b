! flags: -std=f2008 -Wno-uninitialized -Wno-maybe-uninitialized -Wno-unused-variable
! A call in the first assignment of a WHERE goes before it; later ones need masks in variables. A
! FORALL becomes loops, with an array between where it reads what it writes.
module masked
  implicit none
contains
  elemental real function root(x)
    real, intent(in) :: x
    root = sqrt(abs(x)) + 0.25
  end function root

  subroutine masks(n, x, y)
    integer, intent(in) :: n
    real, intent(inout) :: x(n), y(n)
    where (x > 0.0) y = root(x) + 1.0
    where (root(x) > 1.0)
      x = 2.0*x
    elsewhere (x < -0.5)
      ! This needs the value that the arm has set.
      y = x - 1.0
      x = root(y)*y
    elsewhere
      y = root(x + y)
      where (x > 0.0) x = -x
    end where
    where (y > 2.0) y = 2.0
  end subroutine masks

  subroutine indices(n, x, a)
    integer, intent(in) :: n
    real, intent(inout) :: x(n), a(n, n)
    integer :: i, j
    forall (i = 1:n) x(i) = x(n + 1 - i)
    forall (i = 1:n) x(i) = root(x(n + 1 - i))
    forall (i = 1:n, j = 1:n:2, i /= j)
      a(i, j) = root(x(i)) + real(j)
      a(j, i) = 2.0*a(i, j)
    end forall
    forall (j = n:2:-1) a(:, j) = root(x)
  end subroutine indices
end module masked

program main
  use masked
  implicit none
  real :: x(4) = [1.0, -2.0, 0.25, -0.125], y(4) = [0.0, 1.0, 2.0, 3.0], a(4, 4)
  a = 0.5
  call masks(4, x, y)
  print '(4es16.8)', x, y
  call indices(4, x, a)
  print '(4es16.8)', x, a
end program main
