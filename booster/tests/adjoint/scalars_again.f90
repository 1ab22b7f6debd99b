! What the mirror of a round computes again is not recorded; what it cannot is.
! call p n=5 x=[1.1,0.7,1.3,0.9,1.2] k=2
! call p n=5 x=[1.1,0.7,1.3,0.9,1.2] k=-1
! call carried n=4 x=[1.1,0.7,1.3,0.9]
! call changed n=4 x=[1.1,0.7,1.3,0.9]
! call late n=4 x=[1.1,0.7,1.3,0.9]
! call skips n=5 x=[1.1,0.7,1.3,0.9,1.2]
! call rounds n=4 x=[1.1,0.7,1.3,0.9]

! Subscripts by an IF, and a number of what is overwritten behind the loop.
subroutine p(n, x, k)
  implicit none
  integer, intent(in) :: n, k
  real(8), intent(inout) :: x(n)
  real(8) :: y(n), air
  integer :: i, from
  do i = 1, n
    if (k >= 0) then
      from = i - 1
      if (from < 1) from = n
    else
      from = i + 1
      if (from > n) from = 1
    end if
    air = 2.0d0*i/n - x(i)
    y(i) = x(i)*x(from)*air + air*air
  end do
  do i = 1, n
    x(i) = y(i)
  end do
end subroutine p

! What goes from round to round is recorded.
subroutine carried(n, x)
  implicit none
  integer, intent(in) :: n
  real(8), intent(inout) :: x(n)
  real(8) :: s
  integer :: i, k
  s = 1.0d0
  k = 1
  do i = 1, n
    s = 0.5d0*s + i
    x(i) = x(i)*x(i)*s*k
    k = k + i
  end do
end subroutine carried

! An operand that the round overwrites.
subroutine changed(n, x)
  implicit none
  integer, intent(in) :: n
  real(8), intent(inout) :: x(n)
  real(8) :: f
  integer :: i
  do i = 1, n
    f = 2.0d0*x(i) + 1.0d0
    x(i) = x(i)*f*f
  end do
end subroutine changed

! A use before it is set, and one behind the loop.
subroutine late(n, x)
  implicit none
  integer, intent(in) :: n
  real(8), intent(inout) :: x(n)
  integer :: i, k, m
  k = 1
  do i = 1, n
    x(i) = x(i)*x(k)*k
    k = n + 1 - i
    m = i + 1
    x(i) = x(i)*x(i)*m
  end do
  x(1) = x(1)*x(1)*m
end subroutine late

! Rounds that do not set it.
subroutine skips(n, x)
  implicit none
  integer, intent(in) :: n
  real(8), intent(inout) :: x(n)
  real(8) :: y
  integer :: i, k
  do i = 1, n
    if (i == 1) cycle
    k = i - 1
    y = x(k)
    x(i) = x(i)*y*x(k)
  end do
end subroutine skips

! Within another loop, which overwrites an operand for its next round.
subroutine rounds(n, x)
  implicit none
  integer, intent(in) :: n
  real(8), intent(inout) :: x(n)
  real(8) :: y(n), w
  integer :: i, j, k
  do j = 1, 3
    do i = 1, n
      k = n + 1 - i
      w = x(k) + j
      y(i) = x(i)*w*w
    end do
    do i = 1, n
      x(i) = y(i)*0.1d0
    end do
  end do
end subroutine rounds
