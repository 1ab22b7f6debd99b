! call chain n=3 s=1.5 x=[0.5,0.25,2.0] y=[1,2,3]
! along s=1 x=[1,0.5,-1] y=[2,0,1]
! call sections n=5 u=[1.0,0.5,-1.0,2.0,0.25] v=[0,1,2,3,4]
! along u=[1,-1,0.5,0.25,2] v=[1,1,-1,0,2]
! call swaps n=2 x=[1.0,2.0] y=[3.0,-1.0]
! along x=[1,0.5] y=[-1,2]
! call numbers n=2 a=0.5 b=2.0 x=[1.0,2.0]
! along a=1 b=-1 x=[0.5,2]
! call parts n=4 x=[1.0,2.0,0.5,-1.0]
! along x=[1,0.5,2,-1]
! call shapes n=2 x=[1.0,2.0] w=[0.5,1.5,2.5]
! along x=[1,0.5] w=[1,2,-1]

! Whole arrays, with a number that is spread over them, and one that is overwritten.
subroutine chain(n, s, x, y)
  integer :: n
  real(8) :: s, x(n), y(n)
  real(8) :: a(n), b(n)
  a = sin(x)*s
  b = a*x + 2.0d0*a
  y = y*b + exp(a) - s
  x = 0.0d0
end subroutine

! Sections: the same ones are one place; one that overlaps what has been written ends the run.
subroutine sections(n, u, v)
  integer :: n
  real(8) :: u(n), v(:)
  v(2:n-1) = u(2:n-1)*u(1:n-2)
  v(2:n-1) = v(2:n-1)*sin(v(2:n-1))
  u(2:n-1) = v(1:n-2)*v(3:n)
end subroutine

! The derivative of one is set aside.
subroutine swaps(n, x, y)
  integer :: n
  real(8) :: x(n), y(n), t(n)
  t = x*2.0d0
  x = y*t
  y = t*t
end subroutine

! Numbers are inputs; an assignment to one begins another run.
subroutine numbers(n, a, b, x)
  integer :: n
  real(8) :: a, b, c, x(n), t(n)
  c = a*b
  c = c*sin(c)
  t = c*(a*b)*x
  x = t*t + c
  t = a
  x = x*t
end subroutine

! Components, pointers and allocatable arrays.
subroutine parts(n, x)
  integer :: n
  real(8), target :: x(n)
  type pair
    real(8) :: u(4), v
  end type
  type(pair) :: p(4)
  real(8), pointer :: q(:)
  real(8), allocatable :: w(:)
  allocate(w(n))
  w = 3.0d0*x
  q => x(1:2)
  p(:)%v = w*x*w
  p(1)%u = p%v*sin(p%v)
  x(3:4) = q*q*p(1)%u(1:2)
  w = w*w
  w = w*p%v
  x = x*w
end subroutine

! Arrays of two shapes in one run.
subroutine shapes(n, x, w)
  integer :: n
  real(8) :: x(:), w(:), a(n), m(2, 2), b(3)
  a = x*x
  b = w*sin(w)
  m = spread(a, 1, 2)
  m = m*m
  m = cos(m)*m
  x = a*a
  w = b*b*w
  x = x*m(1, :)
end subroutine
