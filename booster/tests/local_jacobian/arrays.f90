! call whole n=3 s=1.5 x=[0.5,0.25,2] y=[1,-1,0.5]
! call sections n=4 u=[1,0.5,-1,2] v=[0.5,1,2,-1]
! call again n=3 s=0.5 x=[0.5,0.25,2] y=[1,-1,0.5]
! call steps n=3 m=2 s=0.5 x=[0.5,0.25,2]

! Coefficients are arrays, a number is spread over all elements, and a step overwrites what it reads.
subroutine whole(n, s, x, y)
  integer, intent(in) :: n
  real(8), intent(in) :: s
  real(8), intent(inout) :: x(n), y(n)
  real(8) :: t(n), c_t_x(n), c_y_s(n), c_y_x(n)
  c_t_x = 2.0d0*x !> entry
  t = x*x !> value
  c_y_s = t*y !> entry
  c_y_x = s*y*c_t_x !> entry
  y = s*t*y !> value
  x = y !> value
  y = c_y_s*s + c_y_x*x + (s*t)*y !> step
  x = y !> step
  x = x*y
end subroutine

! Sections; the coefficients are arrays of their shape.
subroutine sections(n, u, v)
  integer, intent(in) :: n
  real(8), intent(inout) :: u(:), v(:)
  real(8) :: c(n-1), d(n-1)
  c = u(1:n-1) !> entry
  d = cos(u(2:n)) !> entry
  v(2:n) = u(1:n-1)*sin(u(2:n)) + v(1) !> value
  d = d*c !> entry
  v(2:n) = d*u(2:n) + sin(u(2:n))*u(1:n-1) + v(1) !> step
  c = v(1:n-1) !> entry
  d = u(2:n) !> entry
  u(2:n) = v(1:n-1)*u(2:n) !> value
  u(2:n) = c*u(2:n) + d*v(1:n-1) !> step
  u(1) = sum(v)
end subroutine

! The backward sweep accumulates once more.
subroutine again(n, s, x, y)
  integer, intent(in) :: n
  real(8), intent(inout) :: s, x(n), y(n)
  real(8) :: c(n)
  real(8) :: d(n)
  y = sin(x)*s !> value
  c = cos(x) !> again
  d = c*s !> again
  c = sin(x) !> again
  y = d*x + c*s !> step
  x = x*y
  s = s*sum(x)
end subroutine

! In a loop each round has coefficients of its own.
subroutine steps(n, m, s, x)
  integer, intent(in) :: n, m
  real(8), intent(inout) :: s, x(n)
  real(8) :: a(n), c(n), d(n)
  real(8) :: e(n-1), f(n-1)
  integer :: k
  do k = 1, m
    a = x*s !> value
    c = cos(a) !> entry
    d = c*s !> entry
    c = c*x !> entry
    x = sin(a) !> value
    x = d*x + c*s !> step
    e = x(2:n) !> entry
    f = x(1:n-1) !> entry
    x(2:n) = x(1:n-1)*x(2:n) !> value
    x(2:n) = f*x(2:n) + e*x(1:n-1) !> step
    x = x*x + s
  end do
end subroutine
