! flags: -std=legacy
program host
  real x(10)
  n = 4
  m = 3
  x = 1.0
  do i = 1, 2
    call fill(x)
    n = n + 1
  end do
  print *, x
  print *, n, m, k, size(copies(2.5))
contains
  subroutine fill(y)
    real y(10), part(n)
    part = 2.0*i
    k = size(part) + m
    y(1:n) = part
    l = 7
    y(10) = l
  end subroutine
  function copies(value)
    real copies(m), value
    integer n
    n = 1
    copies = value*n
  end function
end program
