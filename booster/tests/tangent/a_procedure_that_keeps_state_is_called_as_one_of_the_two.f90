! call p x=[1.0,2.0] n=3
! along x=[1.0,0.5]
! The generator is called with and without activity; its state must be one.
subroutine smooth(x)
  implicit none
  real(8), intent(inout) :: x
  real(8), save :: last = 0.5d0
  x = 0.5d0*(x + last)
  last = x
end subroutine smooth

integer function ticket()
  implicit none
  integer :: next
  data next /0/
  next = next + 1
  ticket = next
end function ticket

real(8) function scaled(x)
  implicit none
  real(8), intent(in) :: x
  integer, external :: ticket
  scaled = x*ticket()
end function scaled

subroutine drawn(n)
  implicit none
  integer, intent(out) :: n
  integer, external :: ticket
  n = ticket()
end subroutine drawn

! What is kept, but never changed, may be kept twice.
real(8) function weight(i)
  implicit none
  integer, intent(in) :: i
  real(8), save :: weights(3) = [0.5d0, 0.25d0, 0.125d0]
  weight = weights(i)
end function weight

subroutine p(x, n)
  implicit none
  real(8), intent(inout) :: x(2)
  integer, intent(inout) :: n
  real(8) :: t, scaled, weight
  integer, external :: ticket
  t = 3.0d0
  call smooth(t)
  if (ticket() > 0 .and. t > 0.0d0) x(1) = scaled(x(1))
  call drawn(n)
  x(2) = scaled(x(2)) + n + weight(2)
  call smooth(x(1))
  do while (ticket() < 7)
    x(2) = x(2) + x(1)
  end do
end subroutine p
