! call p x=[1.5,0.5] y=0
! A block that the head does not declare, with two variables in one procedure and one array in the other: both
! variables are given back.
subroutine q(a)
  implicit none
  double precision a, u, v
  common /bl/ u, v
  v = v*a + 0.25d0
  u = u*v
end subroutine q

subroutine r(c, y)
  implicit none
  double precision c, y, w(2)
  common /bl/ w
  y = w(2)*c + w(1)
  w(1) = w(1)*c
end subroutine r

subroutine p(x, y)
  implicit none
  double precision x(2), y
  call q(x(1))
  call r(x(2), y)
end subroutine p

block data given
  implicit none
  double precision u, v
  common /bl/ u, v
  data u /0.5d0/, v /0.75d0/
end block data given
