! call head x=[0.7,1.1,0.4,0.9] y=0.0
!
! Blank COMMON may be shorter in one procedure than in another. What a callee overwrites behind the end of
! what its caller declares comes back from the tape all the same.
subroutine head(x, y)
  implicit none
  real(8) :: x(4), y
  real(8) :: a(2)
  common a
  integer :: i
  call init(x)
  do i = 1, 3
    call step(x(i))
    a(1) = a(1)*sin(a(2))
  end do
  call fin(y)
  y = y*a(1)
end subroutine head

subroutine init(x)
  implicit none
  real(8) :: x(4), q(4)
  integer :: n
  common q, n
  integer :: i
  n = 2
  do i = 1, 4
    q(i) = x(i)*0.7d0
  end do
end subroutine init

subroutine step(s)
  implicit none
  real(8) :: q(4), s
  integer :: n
  common q, n
  q(1) = q(1)*q(3) + s
  q(3) = q(3)*cos(q(4)*s)
  q(4) = q(4)*q(n)*s + q(2)
  q(2) = q(1)*q(3)
  n = n + 1
end subroutine step

subroutine fin(y)
  implicit none
  real(8) :: q(4), y
  common q
  y = q(3)*q(4) + q(1)
end subroutine fin
