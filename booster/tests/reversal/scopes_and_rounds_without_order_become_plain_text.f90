! call scopes n=3 i=2 x=[1,2,3]
! call scopes n=1 i=1 x=[-1,2,3]
! call rounds n=3 m=2 x=[1,2,3,4,5,6]
! call rounds n=0 m=2 x=[1,2,3,4,5,6]
subroutine scopes(n, i, x)
  use watch
  implicit none
  integer, intent(in) :: n
  integer, intent(inout) :: i
  real, intent(inout) :: x(3)
  integer :: k
  type :: pair
    real :: a(3), b
  end type pair
  type(pair) :: v
  v%a(1) = 1.0
  v%b = 2.0
  associate (here => x(i), twice => 2.0*x(1), inner => v%a, rest => x(2:3))
    i = 1
    here = here + twice
    inner(2) = here*inner(1)
    rest = 0.5*rest
    do k = 1, n
      block
        real :: x, y(2)
        x = here
        y(1) = x*real(k)
        if (y(1) > 4.0) exit
        here = here + y(1)
      end block
    end do
  end associate
  x(3) = v%a(2)
end subroutine scopes

subroutine rounds(n, m, x)
  use watch
  implicit none
  integer, intent(in) :: n, m
  real, intent(inout) :: x(3, 2)
  integer :: i
  i = 7
  do concurrent (i = 1:n)
    x(i, 1) = 2.0*x(i, 1)
  end do
  do concurrent (integer :: i = n:1:-1, j = 1:m)
    if (i == 2) then
      x(i, j) = x(i, j) + real(j)
    end if
  end do
  x(1, 1) = x(1, 1) + real(i)
end subroutine rounds
