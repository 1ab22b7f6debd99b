! call alternate k=0 x=1
! call alternate k=1 x=1
! call alternate k=2 x=1
! call input line="12" k=1
! call input line="ab" k=1
! call assigned k=1 x=1
! call assigned k=2 x=1
! call entered k=1 x=1
! call later k=1 x=1
subroutine alternate(k, x)
  use watch
  implicit none
  integer, intent(in) :: k
  real, intent(inout) :: x
  call decide(k, *10, *20)
  x = x + 1.0
  return
10 x = x + 2.0
20 x = 2.0*x
end subroutine alternate

subroutine decide(k, *, *)
  implicit none
  integer, intent(in) :: k
  return k
end subroutine decide

subroutine input(line, k)
  use watch
  implicit none
  character(2), intent(in) :: line
  integer, intent(inout) :: k
  k = k + 1
  read (line, *, err=10) k
  k = 2*k
10 k = k - 1
end subroutine input

subroutine assigned(k, x)
  use watch
  implicit none
  integer, intent(in) :: k
  real, intent(inout) :: x
  integer :: where
  assign 10 to where
  if (k > 1) assign 20 to where
  goto where, (10, 20)
10 x = x + 1.0
20 x = 2.0*x
end subroutine assigned

subroutine entered(k, x)
  use watch
  implicit none
  integer, intent(in) :: k
  real, intent(inout) :: x
  x = x + 1.0
  entry later(k, x)
  if (k > 0) x = 2.0*x
end subroutine entered
