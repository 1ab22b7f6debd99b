! call select k=1 c=2 x=1
! call select k=2 c=2 x=1
! call select k=5 c=3 x=1
! call select k=9 c=4 x=1
! call conditions n=1 l=true x=[1,2]
! call conditions n=3 l=false x=[-1,2]
! call empty n=3 x=[1,2]
! call empty n=-3 x=[1,2]
! call stops n=0 x=1
! call stops n=1 x=1
! call stops n=2 x=1
subroutine select(k, c, x)
  use watch
  implicit none
  integer, intent(inout) :: k
  integer, intent(in) :: c
  real, intent(inout) :: x
  select case (c)
  case (2)
    x = x + 1.0
  case (3)
    continue
  case (4:)
    x = x + 2.0
  end select
  select case (k)
  case (1)
    x = 2.0*x
    k = 2
  case (2:4)
    x = 3.0*x
  case (5)
    continue
  case default
    x = 4.0*x
    if (x > 0.0) return
    x = 5.0
  end select
end subroutine select

subroutine conditions(n, l, x)
  use watch
  implicit none
  integer, intent(in) :: n
  logical, intent(inout) :: l
  real, intent(inout) :: x(2)
  if (l) x(1) = 0.0
  if (n > 2) then
    continue
  else
    x(2) = x(2) + 1.0
  end if
  if (x(1) > 0.0) then
    x(2) = 1.0
  else if (n == 2) then
    x(2) = 2.0
  else if (x(2) > 1.0) then
    x(2) = 3.0
    l = .false.
  else
    x(1) = 4.0
  end if
end subroutine conditions

! Nothing is recorded of what the backward sweep need not know.
subroutine empty(n, x)
  use watch
  implicit none
  integer, intent(in) :: n
  real, intent(inout) :: x(2)
  if (n > 0) then
    if (x(1) > 0.0) goto 10
    continue
  else
    if (x(2) > 0.0) goto 10
  end if
10 continue
  x(1) = x(1) + 1.0
end subroutine empty

! Control never comes back from STOP.
subroutine stops(n, x)
  use watch
  implicit none
  integer, intent(in) :: n
  real, intent(inout) :: x
  if (n == 1) then
    x = x + 1.0
    stop 'one'
  else if (n == 2) then
    x = x + 2.0
  else
    stop 'zero'
  end if
  x = 3.0*x
end subroutine stops
