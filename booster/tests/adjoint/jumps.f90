! call head k=0 x=1.5 y=0.5
! call head k=1 x=1.5 y=0.5
! call head k=2 x=1.5 y=0.5
! call newton n=9 x=1.5 y=0.5
! call newton n=0 x=1.5 y=0.5
! call scopes n=3 x=[1.5,0.5,2]
! Jumps, loops that are left from within, alternate returns, constructs with scopes.
subroutine head(k, x, y)
  implicit none
  integer, intent(in) :: k
  real(8), intent(inout) :: x, y
  call decide(k, x, *10, *20)
  y = x + y
  return
10 y = x*y
  return
20 y = x*x*y
end subroutine head

subroutine decide(k, x, *, *)
  implicit none
  integer, intent(in) :: k
  real(8), intent(inout) :: x
  x = x*x
  if (k > 0) return k
  x = 2*x
end subroutine decide

subroutine newton(n, x, y)
  implicit none
  integer, intent(in) :: n
  real(8), intent(inout) :: x, y
  real(8) :: r
  integer :: i
  if (n == 0) goto 100
  do i = 1, n
    r = y*y - x
    if (abs(r) < 1d-3) exit
    if (mod(i, 2) == 0) then
      y = y - r/(2*y)
      cycle
    end if
    y = 0.5d0*(y + x/y)
  end do
  y = y*real(i, 8)
100 x = x*y
end subroutine newton

subroutine scopes(n, x)
  implicit none
  integer, intent(in) :: n
  real(8), intent(inout) :: x(3)
  integer :: i
  i = 2
  associate (here => x(i), twice => 2.0d0*x(1))
    i = 1
    here = here*twice
    do concurrent (i = 1:n)
      block
        real(8) :: t
        t = sin(x(i))
        x(i) = t*t
      end block
    end do
    here = here + twice
  end associate
end subroutine scopes
