! call head x=[0.5,1.5,2.5] y=[0.25,1.25,-0.5] n=3
subroutine head(x, y, n)
  integer :: n
  real(8) :: x(n), y(n), t, w
  t = x(1)
  call p(x, t, w, n)
  y(1) = w*t
  call p(y, t, w, n)
  y(2) = x(2)*t
  call q(n)
  call p(y(n:), t, w, n)
contains
  subroutine p(a, b, c, m)
    integer :: m
    real(8) :: a(m), b, c
    c = a(1)*b
    a(1) = c*c
    b = sin(b)
  end subroutine
  subroutine q(m)
    integer :: m
    m = m - 1
  end subroutine
end subroutine
