! call p x=0.75 y=0
! Two blocks that the head does not declare: what they hold behind its adjoint is what the program leaves,
! and their adjoints begin with zero.
subroutine q(x, y)
  implicit none
  double precision x, y, w(0:3), t
  integer n
  common /wrk/ w, n
  common /tim/ t
  n = n + 1
  t = t*x + 0.25d0
  w(n) = x*x + w(n)*t
  y = w(n)*n + t
end subroutine q

subroutine start
  implicit none
  double precision w(0:3), t
  integer n
  common /wrk/ w, n
  common /tim/ t
  if (n > 2 .or. n < 0) then
    n = 0
    w = 1.5d0
    t = 0.5d0
  end if
end subroutine start

subroutine reset
  implicit none
  double precision w(0:3)
  integer n
  common /wrk/ w, n
  n = 3
end subroutine reset

subroutine p(x, y)
  implicit none
  double precision x, y, a, b
  call start
  call q(x, a)
  call q(x*a, b)
  y = a*b
  call reset
end subroutine p

block data given
  implicit none
  double precision w(0:3), t
  integer n
  common /wrk/ w, n
  common /tim/ t
  data n /3/, w /4*1.5d0/, t /0.5d0/
end block data given
