! call p x=[0.7,1.3] y=0.5
! Each scope that declares the block has an EQUIVALENCE in it: its derivative begins with zero all the same, and the head, which
! does not declare it, leaves in it what the program leaves there.
subroutine set(x)
  implicit none
  real(8), intent(in) :: x(2)
  real(8) :: a(2), b(2), c(4)
  integer :: n
  common /blk/ a, b, n
  equivalence (c(1), a(1))

  c(1:2) = c(1:2)*0.5d0 + x
  c(3:4) = x*x*n
end subroutine set

subroutine total(y)
  implicit none
  real(8), intent(inout) :: y
  real(8) :: a(3), b, other
  integer :: n
  common /blk/ a, b, n
  equivalence (other, a(2))

  y = y*(sum(a*a) + b*other)
  n = n + 1
end subroutine total

subroutine p(x, y)
  implicit none
  real(8), intent(in) :: x(2)
  real(8), intent(inout) :: y

  call set(x)
  call total(y)
  call set(x*y)
  call total(y)
end subroutine p

block data begin
  implicit none
  real(8) :: a(2), b(2), c(2)
  integer :: n
  common /blk/ a, b, n
  equivalence (c, a)
  data c /2*1d0/, b /2*2d0/, n /1/
end block data begin
