! call explicit n=5 m=2 x=[1,2,3,4,5]
! call explicit n=5 m=-2 x=[1,2,3,4,5]
! call explicit n=0 m=1 x=[1,2,3,4,5]
! call explicit n=-7 m=3 x=[1,2,3,4,5]
! call overwritten n=3 m=2 x=[1,2,3,4,5]
! call overwritten n=9 m=-1 x=[1,2,3,4,5]
! call counted n=3 x=[0.5,2,3]
! call counted n=0 x=[0.5,2,3]
! call left n=3 x=[1,2,3]
! call left n=3 x=[1,2,-3]
! call left n=3 x=[1,-2,3]
! call left n=3 x=[-1,2,3]
subroutine explicit(n, m, x)
  use watch
  implicit none
  integer, intent(in) :: n, m
  real, intent(inout) :: x(5)
  integer, parameter :: two = 2
  integer :: i
  do i = 1, n
    x(i) = x(i) + 1.0
  end do
  do i = n, 1, -1
    x(i) = x(i) + 2.0
  end do
  do i = 1, n, 2
    x(i) = x(i) + 3.0
  end do
  do i = n, 1, -3
    x(i) = x(i) + 4.0
  end do
  do i = 2, n, two
    x(i) = x(i) + 5.0
  end do
  do i = 3, n, m
    x(mod(abs(i), 5) + 1) = x(1) + 6.0
  end do
end subroutine explicit

! Bounds, step and first value change in the loop.
subroutine overwritten(n, m, x)
  use watch
  implicit none
  integer, intent(inout) :: n, m
  real, intent(inout) :: x(5)
  integer :: i, j
  j = 1
  do i = j, n, m
    n = n - 1
    m = -m
    j = j + 3
    x(1) = x(1) + real(i)
  end do
  do i = i, n
    x(2) = x(2)*real(i)
  end do
  do i = 1, n
    n = n + 1
  end do
end subroutine overwritten

! Loops that do not count whole numbers.
subroutine counted(n, x)
  use watch
  implicit none
  integer, intent(in) :: n
  real, intent(inout) :: x(3)
  real :: r
  integer :: i
  do r = x(1), 2.0, 0.5
    x(2) = x(2)*r
  end do
  do while (x(2) > 1.0)
    x(2) = 0.5*x(2)
  end do
  i = 0
  do
    if (i >= n) exit
    i = i + 1
    x(3) = x(3) + x(2)
  end do
  do
    x(1) = x(1) + 1.0
    if (x(1) > 3.0) exit
  end do
end subroutine counted

! Loops that are left from within: before the round has done anything, in its middle, at its end;
! and several at once.
subroutine left(n, x)
  use watch
  implicit none
  integer, intent(in) :: n
  real, intent(inout) :: x(3)
  integer :: i, j
  do i = 1, n
    if (x(i) < 0.0) exit
    x(i) = x(i) + 1.0
  end do
  do i = 1, n
    x(i) = x(i) + 2.0
    if (x(i) < 1.0) exit
  end do
  outer: do i = 1, n
    do j = i, n
      if (x(j) < 0.0) exit outer
      x(j) = x(j) - real(i)
      if (x(j) < -2.0) cycle outer
      if (x(j) < -1.0) goto 100
      x(j) = 1.5*x(j)
    end do
    x(i) = x(i) + 3.0
  end do outer
  x(1) = 0.0
100 continue
end subroutine left
