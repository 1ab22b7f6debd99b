! call search n=5 x=[1,2,3,4,5]
! call search n=5 x=[1,1,1,1,1]
! call search n=0 x=[1]
! call tapenade n=6 i=1 t=[3,0.5,2,1.5,1,0] u=[1,-9,1,1,1,1]
! call early n=3 x=[1,2,3]
! call early n=-1 x=[1,2,3]
! call early n=2 x=[-1,2,3]
! call soup k=0 x=1
! call soup k=1 x=1
! call soup k=2 x=1
! call soup k=3 x=1
subroutine search(n, x)
  use watch
  implicit none
  integer, intent(in) :: n
  real, intent(inout) :: x(*)
  integer :: i
  do i = 1, n
    x(i) = 2*x(i)
    if (x(i) > 5.0) exit
    x(i) = x(i) + 1.0
    if (x(i) < 4.0) cycle
    x(1) = x(1) + x(i)
  end do
end subroutine search

! The example of section 3.4 of the paper on Tapenade: a jump out of a condition in a loop.
subroutine tapenade(n, i, t, u)
  use watch
  implicit none
  integer, intent(in) :: n
  integer, intent(inout) :: i
  real, intent(inout) :: t(n), u(n)
  do while (t(i) > 0.0)
    if (t(i) > 1.0) then
      u(i) = u(i) + t(i)
    else
      u(i) = u(i) + t(i-1)
      if (u(i) < 0.0) goto 5
    end if
    t(i) = 3.0*u(i)
5   i = i + 1
    t(1) = 2.0*t(i) + 1.0
  end do
end subroutine tapenade

subroutine early(n, x)
  use watch
  implicit none
  integer, intent(in) :: n
  real, intent(inout) :: x(3)
  integer :: i
  if (n < 0) return
  x(1) = 3.0*x(1)
  do i = 1, n
    if (x(1) < 0.0) then
      x(2) = 0.0
      return
    end if
    x(i) = x(i) - 4.0
  end do
  x(3) = 1.0
end subroutine early

subroutine soup(k, x)
  use watch
  implicit none
  integer, intent(inout) :: k
  real, intent(inout) :: x
  goto (10, 20), k
  if (k - 2) 30, 20, 10
10 x = x + 1.0
  k = k - 1
  if (k > 0) goto 20
  goto 40
20 x = 2.0*x
  k = k - 1
  if (k > 0) goto 10
30 x = -x
40 continue
end subroutine soup
