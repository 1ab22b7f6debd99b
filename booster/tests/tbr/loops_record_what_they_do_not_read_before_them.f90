! call factor n=4 a=[9,1,2,0.5,0,8,1,0.25,0,0,7,1,0,0,0,6]
! call lower n=3 a=[2,0.5,0.25,1,2,0.5,0.3,1,2]
! call upward n=4 x=[0.5,1,1.5,0.75] y=0
! call empty n=3 k=0 x=[1,2,3] y=0
! call empty n=3 k=2 x=[1,2,3] y=0
! call named n=5 x=[0.5,0.6,0.7,0.8,0.9]
! call changed n=4 x=[0.5,0.6,0.7,0.8]
! call scaled n=4 x=[0.5,0.6,0.7,0.8] s=1.5 y=0
! What the rounds of a loop overwrite is recorded before it, where no adjoint in it reads that.

! The columns to the left are others than the one that is written: one record for a column.
subroutine factor(n, a)
  integer, intent(in) :: n
  real(8), intent(inout) :: a(n, n)
  integer :: i, k, l
  do k = 1, n
    do l = 1, k - 1
      do i = k, n
        a(i, k) = a(i, k) - a(i, l)*a(k, l)
      end do
    end do
    a(k, k) = sqrt(a(k, k))
    do i = k + 1, n
      a(i, k) = a(i, k)/a(k, k)
    end do
  end do
end subroutine factor

! Here the last column is that which is written.
subroutine lower(n, a)
  integer, intent(in) :: n
  real(8), intent(inout) :: a(n, n)
  integer :: i, k, l
  do k = 1, n
    do l = 1, k
      do i = k, n
        a(i, k) = a(i, k) - 0.1d0*a(i, l)*a(k, l)
      end do
    end do
  end do
end subroutine lower

! Loops that count downwards, and steps.
subroutine upward(n, x, y)
  integer, intent(in) :: n
  real(8), intent(inout) :: x(n), y
  integer :: k, l
  do k = n, 2, -1
    do l = k - 1, 1, -1
      x(k) = x(k) + x(l)*x(l)
    end do
    do l = 1, k - 1, 2
      x(k) = x(k)*0.5d0 + x(l)*x(l + 1)
    end do
    y = y + x(k)*x(1)
  end do
end subroutine upward

! There may be no such element where there is no round.
subroutine empty(n, k, x, y)
  integer, intent(in) :: n, k
  real(8), intent(inout) :: x(n), y
  integer :: l
  y = x(1)*x(2)
  do l = 1, k
    x(k) = 0.5d0*x(k) + y
    y = 0.25d0*y
  end do
  y = y + x(1)*x(3)
end subroutine empty

! The bound of the outer loop is not the variable of the inner one, though it has its name.
subroutine named(n, x)
  integer, intent(in) :: n
  real(8), intent(inout) :: x(n)
  integer :: i, l
  l = n
  do i = 1, l - 1
    do l = 2, n
      x(l) = x(l) + x(i)*x(i)
    end do
  end do
end subroutine named

! A bound that changes tells nothing of the rounds.
subroutine changed(n, x)
  integer, intent(in) :: n
  real(8), intent(inout) :: x(n)
  integer :: k, l, m
  m = 3
  do k = 2, n
    do l = 1, m - 1
      x(m) = x(m) + x(l)*x(k)
    end do
    m = n
  end do
end subroutine changed

! A variable is recorded once, not in each round.
subroutine scaled(n, x, s, y)
  integer, intent(in) :: n
  real(8), intent(in) :: x(n)
  real(8), intent(inout) :: s, y
  integer :: i
  y = s*s
  do i = 1, n
    s = 0.5d0*s + x(i)
  end do
  y = y + s*s
end subroutine scaled
