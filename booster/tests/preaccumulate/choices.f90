! call numbers x=1.5 y=0.5 z=0.25
! along x=1 y=2 z=-1
! call numbers x=0.5 y=0.5 z=2.0
! along x=1 y=2 z=-1
! call arrays n=3 s=0.5 x=[1.0,0.5,-1.0] y=[0.25,0.5,2.0]
! along s=1 x=[1,2,-1] y=[0.5,1,3]
! call poles x=0.0 y=2.0
! along x=1 y=0.5
! call kinds x=1.5 z=(1.0,2.0)
! along x=1 z=(0.5,1)

! MAX, MIN and MERGE take part in a run: the partial derivatives are 1 and 0; of equal ones the first is chosen.
subroutine numbers(x, y, z)
  real(8) :: x, y, z
  real(8) :: a, b
  a = max(x*y, sin(z), y)
  b = min(a, x, 2.0d0)*z
  y = merge(a, -b, z > 1.0d0)*b
  z = max(x, x)*y + b
end subroutine

! Element by element, with a number beside arrays.
subroutine arrays(n, s, x, y)
  integer :: n
  real(8) :: s, x(n), y(n)
  real(8) :: a(n)
  a = max(x*s, y)
  y = merge(a*x, min(a, s), x > 0.0d0)
  x = y*a
end subroutine

! What is not chosen may have an infinite derivative, here and in the run before.
subroutine poles(x, y)
  real(8) :: x, y
  real(8) :: t, u
  t = max(log(x), -10.0d0)
  y = y*merge(sqrt(x), t, x > 0.0d0)
  u = sqrt(x)
  t = sum([x, y])
  y = max(u, 1.0d0)*y*max(u, 0.5d0) + t
end subroutine

! A number that was chosen times a complex one.
subroutine kinds(x, z)
  real(8) :: x
  complex(8) :: z
  real(8) :: a
  a = max(x, 1.0d0)*x
  z = a*z*min(x, 3.0d0)
  x = max(a, 100.0d0)
end subroutine
