! call bounds n=5 m=3 x=[1.0,0.5,-1.0,2.0,0.25] y=[0,1,2,3,4]
! along x=[1,-1,0.5,0.25,2] y=[1,1,-1,0,2]
! call memory n=3 x=[1.0,2.0,0.5] s=0.5
! along x=[1,0.5,2] s=-1
! call grows n=3 x=[1.0,2.0,0.5,-1.0] s=0.75
! along x=[1,0.5,2,-1] s=1
! call changing n=4 x=[1.0,2.0,0.5,-1.0]
! along x=[1,0.5,2,-1]
! call parts n=2 x=[1.0,2.0,0.5,-1.0]
! along x=[1,0.5,2,-1]
! call empty n=0 m=3 x=[1.0,2.0,0.5] s=0.75
! along x=[1,0.5,2] s=1
! call swaps n=3 x=[1.0,2.0,0.5]
! along x=[1,0.5,2]

! Sections whose bounds vary, in a loop; what computes bounds ends a run before them.
subroutine bounds(n, m, x, y)
  integer :: n, m
  real(8) :: x(n), y(*)
  integer :: i, k
  do i = 1, m
    k = n - i + 1
    y(i:k) = x(i:k)*sin(y(i:k))
    y(i:k) = y(i:k)*y(i:k)*x(i:k)
    x(i:k:2) = x(i:k:2)*y(i:k:2)
    x(i:k:2) = cos(x(i:k:2))*x(i:k:2)
  end do
end subroutine

! Allocatable arrays and pointers, with a number that is spread over them; assignments that leave their shape alone.
subroutine memory(n, x, s)
  integer :: n
  real(8), target :: x(n)
  real(8) :: s
  real(8), allocatable :: w(:), v(:)
  real(8), pointer :: q(:)
  allocate(w(0:n - 1), v(n))
  w = s
  w = w*sin(w)
  v(:) = s*w*w
  w = exp(w)*v(:)
  q => x(1:n)
  q = q*s*q
  q = w*sin(q)*v
end subroutine

! Assignments that allocate, and that give another shape: the value has it before the derivative asks for it.
subroutine grows(n, x, s)
  integer :: n
  real(8) :: x(:), s
  real(8), allocatable :: a(:), b(:), c(:)
  b = x(2:n)
  c = x(2:n)*s
  a = b*c
  b = a*a*s
  a = x*s*x
  c = sin(a)*a
  x = c*a
  x(2:n) = x(2:n)*b
end subroutine

! Bounds that the run itself computes, and arrays whose extents change between.
subroutine changing(n, x)
  integer :: n
  real(8) :: x(n)
  real(8), allocatable :: a(:), b(:)
  integer :: k
  allocate(a(n), b(n))
  a = 2.0d0
  b = 1.0d0
  x = x*sin(x)
  k = 2
  x(1:k) = x(1:k)*x(1:k)*a(1:k)
  x(1:k) = x(1:k)*cos(x(1:k))
  a = x*x
  b = a*a
  a = x(1:2)*x(1:2)
  a = a*b(2:3)*a
  b = a*sin(a)
  x(3:4) = b*a
end subroutine

! Components of structures whose extents are known when the program runs.
subroutine parts(n, x)
  integer :: n
  real(8) :: x(2*n)
  type pair
    real(8), allocatable :: u(:)
    real(8) :: v
  end type
  type(pair) :: p
  type(pair), allocatable :: q(:)
  integer :: i
  allocate(p%u(2*n), q(n))
  p%u = x*x
  p%u(:) = p%u(:)*sin(p%u(:))
  q%v = p%u(1:2*n:2)*x(1:n)
  do i = 1, n
    q(i)%u = x(i:i + 1)*x(i)
    q(i)%u(:) = q(i)%u(:)*p%u(i:i + 1)*q(i)%u(:)
    x(i:i + 1) = q(i)%u*q(i)%v
  end do
end subroutine

! Arrays without elements.
subroutine empty(n, m, x, s)
  integer :: n, m
  real(8) :: x(m), s
  real(8), allocatable :: a(:)
  allocate(a(n))
  a = a*sin(a)*s
  a = a*a
  x(m:n) = x(m:n)*s*x(m:n)
  x(m:n) = cos(x(m:n))*s*x(m:n)
  s = s*x(1)
end subroutine

! A derivative that is set aside is allocated, too.
subroutine swaps(n, x)
  integer :: n
  real(8) :: x(n)
  real(8), allocatable :: a(:), b(:), t(:)
  allocate(a(n), b(n), t(n))
  a = x
  b = x*x
  t(:) = a*2.0d0
  a(:) = b*t
  b(:) = t*t
  x = a*b
end subroutine
