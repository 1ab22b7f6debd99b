subroutine s(x, k, n)
  integer :: n, k(n)
  real(8) :: x(n), y
  y = x(k(1))*x(2)
  k(k(1)) = 2
  read (*, *) n, x(n)
  y = y*x(1)
  read (*, *) x(1), y
  call swap(x(n), n)
  x(n) = 1.0
contains
  subroutine swap(a, m)
    real(8) :: a
    integer :: m
    a = a*a
    m = 1
  end subroutine
end subroutine
