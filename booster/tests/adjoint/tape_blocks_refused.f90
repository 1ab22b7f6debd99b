! call twice n=3 x=[1.1,0.7,1.3]
! call old n=3 x=[1.1,0.7,1.3]
! call any_step n=4 k=-1 x=[1.1,0.7,1.3,0.9]
! call short n=3 x=[1.1,0.7,1.3]
! call saved n=3 x=[1.1,0.7,1.3]
! call hosts n=3 x=[1.1,0.7,1.3]
! call passed n=3 x=[1.1,0.7,1.3] t=2
! What stays pushed: some of these scalars, or all.

! Two values in a round: the first push stays, there may be no value.
subroutine twice(n, x)
  implicit none
  integer, intent(in) :: n
  real(8), intent(inout) :: x(n)
  real(8) :: t
  integer :: i
  do i = 1, n
    t = sin(x(i))
    x(i) = t*t
    t = cos(x(i))
    x(i) = t*t*x(i)
  end do
end subroutine twice

! The value of the round before is read: the push of t stays.
subroutine old(n, x)
  implicit none
  integer, intent(in) :: n
  real(8), intent(inout) :: x(n)
  real(8) :: t
  integer :: i
  t = 1.0d0
  do i = 1, n
    x(i) = x(i)*t*t
    t = sin(x(i)*t)
  end do
end subroutine old

! A step that is not known: pushes stay.
subroutine any_step(n, k, x)
  implicit none
  integer, intent(in) :: n, k
  real(8), intent(inout) :: x(n)
  real(8) :: t
  integer :: i
  do i = n, 1, k
    t = sin(x(i))
    x(i) = t*t
  end do
end subroutine any_step

! Few rounds: pushes stay.
subroutine short(n, x)
  implicit none
  integer, intent(in) :: n
  real(8), intent(inout) :: x(n)
  real(8) :: t
  integer :: i
  do i = 1, 3
    t = sin(x(i))
    x(i) = t*t
  end do
end subroutine short

! A variable that keeps its value: its pushes stay.
subroutine saved(n, x)
  implicit none
  integer, intent(in) :: n
  real(8), intent(inout) :: x(n)
  real(8), save :: t
  integer :: i
  do i = 1, n
    t = sin(x(i))
    x(i) = t*t
  end do
end subroutine saved

! One that an internal procedure may name: pushes stay.
subroutine hosts(n, x)
  implicit none
  integer, intent(in) :: n
  real(8), intent(inout) :: x(n)
  real(8) :: t
  integer :: i
  do i = 1, n
    t = sin(x(i))
    call square(x(i))
  end do
contains
  subroutine square(y)
    real(8), intent(inout) :: y
    y = y*t*t
  end subroutine square
end subroutine hosts

! One of the caller has a value: it goes to room where it is recorded.
subroutine passed(n, x, t)
  implicit none
  integer, intent(in) :: n
  real(8), intent(inout) :: x(n), t
  integer :: i
  do i = 1, n
    t = sin(x(i))
    x(i) = t*t
  end do
end subroutine passed
