! call s x=[0.5,1.5,2.5] k=[1,3,2] n=3
! call s x=[0.5,1.5,2.5] k=[2,1,2] n=2
subroutine s(x, k, n)
  real(8) :: x(3)
  integer :: k(3), n
  x(k(1)) = x(2)*x(3)
  k(k(1)) = 2
  x(k(2)) = sin(x(k(1)))
  call change(n, x(n))
  x(n) = x(1)*x(n)
contains
  subroutine change(m, a)
    integer :: m
    real(8) :: a
    a = a*a
    m = 1
  end subroutine
end subroutine
