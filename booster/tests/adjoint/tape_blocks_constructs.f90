! call each_arm n=4 k=[1,2,3,4] x=[1.1,0.7,1.3,0.9]
! call not_each_arm n=4 k=[1,2,3,1] x=[1.1,0.7,1.3,0.9]
! call branches n=4 x=[1.1,-0.7,1.3,-0.9]
! call labelled n=3 x=[1.1,0.7,1.3]
! call in_arms n=3 k=1 x=[1.1,0.7,1.3]
! call in_arms n=3 k=2 x=[1.1,0.7,1.3]
! call in_arms n=3 k=3 x=[1.1,0.7,1.3]
! call sometimes n=4 x=[1.1,-0.7,1.3,-0.9]
! call leaves n=4 x=[1.1,0.7,1.3,0.9]
! call cycles n=4 x=[1.1,0.7,-1.3,0.9]
! Rooms and constructs.

! Branches push which way control came, beside the room; a scalar that gets another value in one.
subroutine branches(n, x)
  implicit none
  integer, intent(in) :: n
  real(8), intent(inout) :: x(n)
  real(8) :: t, u
  integer :: i
  do i = 1, n
    t = sin(x(i))
    u = exp(t)
    if (x(i) > 0) then
      x(i) = t*t*u
    else
      t = u*u
      x(i) = x(i)*u
    end if
    x(i) = x(i)*t
  end do
end subroutine branches

! A loop of the old form.
subroutine labelled(n, x)
  implicit none
  integer, intent(in) :: n
  real(8), intent(inout) :: x(n)
  real(8) :: t
  integer :: i
  do 10 i = 1, n
    t = sin(x(i))
    x(i) = t*t
10 continue
end subroutine labelled

! Loops in arms.
subroutine in_arms(n, k, x)
  implicit none
  integer, intent(in) :: n, k
  real(8), intent(inout) :: x(n)
  real(8) :: t
  integer :: i
  if (k == 1) then
    do i = 1, n
      t = sin(x(i))
      x(i) = t*t
    end do
  else if (k == 2) then
    do i = 1, n
      t = cos(x(i))
      x(i) = t*t
    end do
  else
    do i = 1, n
      t = exp(x(i))
      x(i) = t*t
    end do
  end if
end subroutine in_arms

! Not in each round: pushes stay.
subroutine sometimes(n, x)
  implicit none
  integer, intent(in) :: n
  real(8), intent(inout) :: x(n)
  real(8) :: t
  integer :: i
  t = 2.0d0
  do i = 1, n
    if (x(i) > 0) t = sin(x(i))
    x(i) = x(i)*t*t
  end do
end subroutine sometimes

! Left from within: pushes stay.
subroutine leaves(n, x)
  implicit none
  integer, intent(in) :: n
  real(8), intent(inout) :: x(n)
  real(8) :: t
  integer :: i
  do i = 1, n
    t = sin(x(i))
    x(i) = t*t
    if (x(i) < 0.5d0) exit
  end do
end subroutine leaves

! Rounds that end early: pushes stay.
subroutine cycles(n, x)
  implicit none
  integer, intent(in) :: n
  real(8), intent(inout) :: x(n)
  real(8) :: t
  integer :: i
  do i = 1, n
    if (x(i) < 0) cycle
    t = sin(x(i))
    x(i) = t*t
  end do
end subroutine cycles

! A value that each arm records and gives: the room has what the round leaves.
subroutine each_arm(n, k, x)
  implicit none
  integer, intent(in) :: n, k(n)
  real(8), intent(inout) :: x(n)
  real(8) :: f, g
  integer :: i
  do i = 1, n
    if (k(i) == 1) then
      f = x(i)*x(i)
      g = f*x(i)
    else if (k(i) == 2) then
      f = sin(x(i))
      g = f*f
    else
      select case (k(i))
      case (3)
        f = 2*x(i)*x(i)
        g = f*x(i)
      case default
        f = x(i)
        g = f*f
      end select
    end if
    x(i) = f*x(i)*g
  end do
end subroutine each_arm

! Not each arm gives it, or it is read before it gets its value: pushes stay.
subroutine not_each_arm(n, k, x)
  implicit none
  integer, intent(in) :: n, k(n)
  real(8), intent(inout) :: x(n)
  real(8) :: f, g
  integer :: i
  f = 1
  g = 2
  do i = 1, n
    if (k(i) == 1) then
      f = x(i)*f
      g = f*x(i)
    else if (k(i) == 2) then
      g = x(i)*x(i)
    else
      g = sin(x(i))
      f = g
    end if
    x(i) = f*x(i)*g
  end do
end subroutine not_each_arm
