! call s x=[0.5,-1.5,2.5] y=[2,3,0.5] n=3
subroutine s(x, y, n)
  integer :: n
  real(8) :: x(n), y(n)
  where (x > 0.0) y = x*y
  where (y > 1.0)
    x = 2.0*x
    y = x*y
  elsewhere
    x = 0.0
  end where
  y(1:2) = 0.0
end subroutine
