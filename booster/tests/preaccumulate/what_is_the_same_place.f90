! call elements n=4 i=2 j=2 k=3 a=[0.5,1.5,2.5,-1]
! along a=[1,0.5,-1,2]
! call elements n=4 i=1 j=3 k=4 a=[0.5,1.5,2.5,-1]
! along a=[1,0.5,-1,2]
! call shared x=0.5 y=2
! along x=1 y=-1
! call counted n=4 i=1 a=[0.5,1.5,2.5,-1]
! along a=[1,0.5,-1,2]
! call pointed x=0.5 y=1.5
! along x=1 y=2
! Elements that may be the same end a run where one of them is written.
subroutine elements(n, i, j, k, a)
  implicit none
  integer, intent(in) :: n, i, j, k
  real(8), intent(inout) :: a(n)
  real(8) :: s, t
  s = a(i)*a(j)
  t = s*s + a(k)
  a(i) = t*s
  s = a(j)*t
  a(i + 1) = s*a(i)
  a(i) = a(i + 1)*a(i)
  t = a(1)*a(2)
  a(2) = t*a(3)
  a(3) = t + a(2)
end subroutine elements
subroutine shared(x, y)
  implicit none
  real(8), intent(inout) :: x, y
  real(8) :: s, t, u(2)
  equivalence (s, u(1)), (t, u(2))
  s = x*y
  t = s*x
  u(1) = t*s
  y = s*t
  x = u(2)*y
end subroutine shared
subroutine counted(n, i, a)
  implicit none
  integer, intent(in) :: n
  integer, intent(inout) :: i
  real(8), intent(inout) :: a(n)
  real(8) :: s
  s = a(i)*a(i)
  a(i) = s*s
  i = i + 1
  s = s*a(i)
  a(i) = s*s*a(i)
end subroutine counted
subroutine pointed(x, y)
  implicit none
  real(8), target, intent(inout) :: x, y
  real(8), pointer :: p
  real(8) :: t
  p => x
  t = x*y
  p = t*t
  y = x*t
end subroutine pointed
