! call p n=4 x=[0.5,-0.2,0.3,-0.4]
! along x=[1,-1,0.5,2]
subroutine p(n, x, y)
  implicit none
  integer, intent(in) :: n
  real(8), intent(inout) :: x(n)
  real(8), intent(out) :: y(n)
  integer :: i
  where (x > 0) x = -x*x
  where (x < -0.1d0)
    y = x*x
    x = y + 1
  elsewhere (x > 0.35d0)
    y = sqrt(x)
  elsewhere
    y = 3
    where (x < 0)
      y = y*x
    end where
  end where
  forall (i = 1:n, x(i) > 0) x(i) = x(n + 1 - i)*y(i)
  forall (i = 2:n)
    y(i) = y(i-1)*x(i)
    x(i) = y(i) + x(i)
  end forall
end subroutine p
