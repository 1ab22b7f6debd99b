subroutine agree(x)
  implicit none
  real, intent(inout) :: x
  real :: a(3), b
  integer :: n
  common /same/ a, n, b
  save /same/
  x = a(1)*b*n
end subroutine agree
subroutine agree2(y)
  implicit none
  real, intent(inout) :: y
  real :: p(3), q
  integer :: m
  common /same/ p, m, q
  q = y + p(2)*m
end subroutine agree2
subroutine differ(x)
  implicit none
  real, intent(inout) :: x
  real :: a(4), e(2)
  integer :: n
  double precision :: d
  common /other/ a, n
  equivalence (a(3), e(1)), (d, x2)
  real :: x2(2)
  common z
  real :: z
  d = x
  x = e(1)*a(3)*n + x2(1) + z
end subroutine differ
subroutine differ2(y)
  implicit none
  real, intent(inout) :: y
  real :: b(2), c(2)
  integer :: n
  common /other/ b, c, n
  y = b(1) + c(1)*n
end subroutine differ2
