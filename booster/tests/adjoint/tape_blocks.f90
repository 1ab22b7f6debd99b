! call plain n=4 x=[1.1,0.7,1.3,0.9] y=[1,2,3,4]
! call plain n=0 x=[1.1,0.7,1.3,0.9] y=[1,2,3,4]
! call plain n=-3 x=[1.1,0.7,1.3,0.9] y=[1,2,3,4]
! call several n=4 x=[1.1,0.7,1.3,0.9] y=[1,2,3,4]
! call nested n=3 m=2 x=[1.1,0.7,1.3] y=[1,2,3]
! call nested n=3 m=0 x=[1.1,0.7,1.3] y=[1,2,3]
! call down n=4 x=[1.1,0.7,1.3,0.9]
! call down n=0 x=[1.1,0.7,1.3,0.9]
! call steps n=6 x=[1.1,0.7,1.3,0.9,0.8,1.2]
! call steps n=5 x=[1.1,0.7,1.3,0.9,0.8,1.2]
! call steps n=0 x=[1.1,0.7,1.3,0.9,0.8,1.2]
! call descends m=2 n=4 x=[1.1,0.7,1.3,0.9]
! call descends m=4 n=2 x=[1.1,0.7,1.3,0.9]
! call from m=2 n=4 x=[1.1,0.7,1.3,0.9]
! call from m=4 n=2 x=[1.1,0.7,1.3,0.9]
! call moves m=2 n=4 x=[1.1,0.7,1.3,0.9]
! call shrinks n=4 x=[1.1,0.7,1.3,0.9]

! What rounds record goes to room on the tape.
subroutine plain(n, x, y)
  implicit none
  integer, intent(in) :: n
  real(8), intent(in) :: x(4)
  real(8), intent(inout) :: y(4)
  real(8) :: t
  integer :: i
  do i = 1, n
    t = sin(x(i))
    y(i) = y(i) + t*t*t
  end do
end subroutine plain

! Several values of a round stand beside each other.
subroutine several(n, x, y)
  implicit none
  integer, intent(in) :: n
  real(8), intent(in) :: x(n)
  real(8), intent(inout) :: y(n)
  real(8) :: t, u, v
  integer :: i
  do i = 2, n
    t = sin(x(i))
    u = cos(t*x(i - 1))
    v = exp(t*u)
    y(i) = y(i) + t*u*v
  end do
end subroutine several

! A loop in a loop, both with room; the value of the outer round is read in the inner loop.
subroutine nested(n, m, x, y)
  implicit none
  integer, intent(in) :: n, m
  real(8), intent(in) :: x(n)
  real(8), intent(inout) :: y(n)
  real(8) :: s, t
  integer :: i, k
  do i = 1, n
    s = exp(-x(i))
    do k = 1, m
      t = sin(s*x(k))
      y(k) = y(k) + t*t*s
    end do
    y(i) = y(i)*s
  end do
end subroutine nested

! Downwards the bound is the smallest value.
subroutine down(n, x)
  implicit none
  integer, intent(in) :: n
  real(8), intent(inout) :: x(4)
  real(8) :: t
  integer :: i
  do i = n, 1, -1
    t = sin(x(i))
    x(i) = t*t*i
  end do
end subroutine down

! Steps that do not divide the distance, up and down.
subroutine steps(n, x)
  implicit none
  integer, intent(in) :: n
  real(8), intent(inout) :: x(6)
  real(8) :: t, u
  integer :: i
  do i = 1, n, 3
    t = sin(x(i))
    u = cos(x(i))
    x(i) = t*t*u*i
  end do
  do i = n, 2, -2
    t = sin(x(i))
    x(i) = t*t*i
  end do
  do i = n, 1, -1
    t = exp(-x(i))
    x(i) = t*t*n
  end do
end subroutine steps

! A first value that is not known.
subroutine from(m, n, x)
  implicit none
  integer, intent(in) :: m, n
  real(8), intent(inout) :: x(4)
  real(8) :: t, u
  integer :: i
  do i = m, n
    t = sin(x(i))
    u = cos(x(i))
    x(i) = t*t*u
  end do
end subroutine from

! One that the rounds change.
subroutine moves(m, n, x)
  implicit none
  integer, intent(in) :: n
  integer, intent(inout) :: m
  real(8), intent(inout) :: x(n)
  real(8) :: t
  integer :: i
  do i = m, n
    t = sin(x(i))
    x(i) = t*t*m
    m = m + 1
  end do
end subroutine moves

! A bound that the rounds change.
subroutine shrinks(n, x)
  implicit none
  integer, intent(inout) :: n
  real(8), intent(inout) :: x(4)
  real(8) :: t
  integer :: i
  do i = 1, n
    t = sin(x(i))
    x(i) = t*t*n
    n = n - 1
  end do
end subroutine shrinks

! The bound is not known, and changes: rounds are counted from the first value.
subroutine descends(m, n, x)
  implicit none
  integer, intent(in) :: n
  integer, intent(inout) :: m
  real(8), intent(inout) :: x(4)
  real(8) :: t, u
  integer :: i
  do i = n, m, -1
    t = sin(x(i))
    x(i) = t*t
  end do
  do i = n, m, -1
    t = sin(x(i))
    u = cos(x(i))
    x(i) = t*t*u*m
    m = m + 1
  end do
end subroutine descends
