! call behind n=3 x=[1.1,0.7,1.3] y=2
! call behind n=0 x=[1.1,0.7,1.3] y=2
! call kinds n=3 x=[1.1,0.7,1.3] y=[1,2,3]
! call counters n=3 x=[1.1,0.7,1.3]
! call calls n=3 x=[1.1,0.7,1.3] y=[1,2,3]
! call gives n=3 x=[1.1,0.7,1.3] y=[1,2,3]
! call around n=3 m=2 x=[1.1,0.7,1.3] y=2
! Rooms beside what else is on the tape.

! What the loop leaves is used behind it, what the scalar held before it as well.
subroutine behind(n, x, y)
  implicit none
  integer, intent(in) :: n
  real(8), intent(inout) :: x(3), y
  real(8) :: t
  integer :: i
  t = y*y
  y = t*t
  do i = 1, n
    t = sin(x(i))
    x(i) = t*t
  end do
  y = y*t*t*i
end subroutine behind

! A room for each type.
subroutine kinds(n, x, y)
  implicit none
  integer, intent(in) :: n
  real(8), intent(in) :: x(n)
  real(8), intent(inout) :: y(n)
  real(4) :: r
  real(8) :: d
  complex(8) :: z
  integer :: k
  logical :: up
  integer(2) :: small
  integer :: i
  do i = 1, n
    r = anint(real(8*sin(x(i))))
    d = cos(x(i))
    z = exp(cmplx(0.0d0, x(i), 8))
    k = int(10*d)
    small = int(k, 2)
    up = d > r
    y(i) = y(i) + r*d*d*k + real(z*z, 8)*small
    if (up) y(i) = y(i)*d
    y(k/100 + 1) = y(k/100 + 1)*d
  end do
end subroutine kinds

! Variables of loops of other kinds: of the small ones no number of a round is computed.
subroutine counters(n, x)
  implicit none
  integer, intent(in) :: n
  real(8), intent(inout) :: x(n)
  real(8) :: t
  integer(8) :: long
  integer(2) :: small
  do long = 1, n
    t = sin(x(long))
    x(long) = t*t
  end do
  do small = 1, 3
    t = sin(x(small))
    x(small) = t*t
  end do
end subroutine counters

! What the scalar holds before the inner loop goes from one outer round to the next.
subroutine around(n, m, x, y)
  implicit none
  integer, intent(in) :: n, m
  real(8), intent(inout) :: x(n), y
  real(8) :: t
  integer :: i, k
  t = y
  do k = 1, m
    y = y*t
    do i = 1, n
      t = sin(x(i)*y)
      x(i) = t*t
    end do
  end do
end subroutine around

! A call that records, too.
subroutine calls(n, x, y)
  implicit none
  integer, intent(in) :: n
  real(8), intent(in) :: x(n)
  real(8), intent(inout) :: y(n)
  real(8) :: t
  integer :: i
  do i = 1, n
    t = sin(x(i))
    call inner(n, t, y)
    y(i) = y(i)*t
  end do
end subroutine calls

subroutine inner(n, t, y)
  implicit none
  integer, intent(in) :: n
  real(8), intent(in) :: t
  real(8), intent(inout) :: y(n)
  real(8) :: u
  integer :: i
  do i = 1, n
    u = cos(t*y(i))
    y(i) = u*u*y(i)
  end do
end subroutine inner

! The scalar is given to a procedure that may overwrite it: pushes stay.
subroutine gives(n, x, y)
  implicit none
  integer, intent(in) :: n
  real(8), intent(in) :: x(n)
  real(8), intent(inout) :: y(n)
  real(8) :: t
  integer :: i
  do i = 1, n
    t = sin(x(i))
    call double(t)
    y(i) = y(i)*t
  end do
end subroutine gives

subroutine double(t)
  implicit none
  real(8), intent(inout) :: t
  t = 2*t*t
end subroutine double
