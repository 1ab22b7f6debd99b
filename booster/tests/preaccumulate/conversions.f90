! call kinds x=0.5 y=1.25
! along x=1 y=-0.5
! call choices n=3 x=[0.5,-1.5,2.0] y=[1.0,0.25,-2.0] s=0.5
! along x=[1,-0.5,2] y=[0.5,1,1] s=-1
! call poles x=2.0 y=0.5
! along x=1 y=2
! Conversions between kinds of real numbers have the partial derivative 1.
subroutine kinds(x, y)
  real(4), intent(inout) :: x
  real(8), intent(inout) :: y
  real(8) :: t
  real(4) :: s
  t = sin(real(x, 8))*y
  s = real(t, 4)*2.0
  y = dble(s)*t + y
  x = real(y*t)
end subroutine
! MERGE, MAX and MIN choose among derivatives: what they do not choose may have none.
subroutine choices(n, x, y, s)
  integer, intent(in) :: n
  real(8), intent(inout) :: x(n), y(n), s
  real(8) :: t(n), u
  t = merge(x, y, x > y)*sin(x)
  y = t*t + merge(s, x, y > 0.5d0)
  u = merge(s, 2.0d0, s > 0.0d0)*s
  s = u*sin(u)
  x = merge(t, 0.0d0, t > 0.1d0)
end subroutine
subroutine poles(x, y)
  real(8), intent(inout) :: x, y
  real(8) :: t
  t = log(x)
  t = t*y
  y = merge(t, y, x > 0.0d0)*y
  t = max(log(x), -10.0d0)
  x = t*y*t
end subroutine
