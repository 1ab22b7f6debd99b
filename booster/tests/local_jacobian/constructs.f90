! call all n=3 x=[0.5,0.8,1.1] y=[0.1,0.2,0.3]
! Runs in rounds of DO CONCURRENT, in BLOCK, in a WHERE's neighbourhood, behind a jump.
subroutine all(n, x, y)
  implicit none
  integer, intent(in) :: n
  real(8), intent(inout) :: x(n), y(n)
  real(8) :: t, u, c_t_u, c_t_t
  integer :: i
  do concurrent (i = 1:n)
    block
      real(8) :: v, c_y_x
      v = x(i)*x(i) !> value
      c_y_x = 4.0d0*v*x(i) !> entry
      y(i) = v*v !> value
      y(i) = c_y_x*x(i) !> step
    end block
  end do
  where (y > 0.1d0) x = x*y
  t = sum(x)
  u = y(1)
  do i = 1, n
    c_t_t = 2.0d0*t*u !> entry
    c_t_u = t*t !> entry
    t = t*t !> value
    t = t*u !> value
    t = c_t_t*t + c_t_u*u !> step
    if (t > 5.0d0) exit
    u = u + t*y(i)
  end do
  x(1) = t*u
end subroutine
