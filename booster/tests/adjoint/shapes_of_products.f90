! call total x=[1,2,3,0.5,0.25,2] y=[1,0.2,3,0.5,0.1,2]
! call spread_out x=[1,2,3,0.5,0.25,2] s=0.5 n=3
! call shifted x=[1,0.2,3,0.5] s=0.5
! call chosen x=[1,0.2,3,0.5] s=0.5
! call reshaped x=[1,2,3,0.5,0.25,2] s=0.5 k=2
! call joined x=[1,0.2,3,0.5] s=0.5
! The shape of an expression is told by its operands: what it would be computed from is not there as
! the backward sweep asks.
subroutine total(x, y)
  implicit none
  real(8), intent(inout) :: x(2, 3), y(3, 2)
  real(8) :: a(2, 3), b(3, 2), s
  a = x
  b = y**2
  s = sum(matmul(a, b))
  a = s
  b = 0.5d0*s
  y(:, 1) = sum(2d0*matmul(b, a), 1)
  y(1, :) = y(1, :) - matmul(x(1, :), transpose(a))
  x = s + transpose(matmul(y, b(1:2, 1:2)))
end subroutine total

subroutine spread_out(x, s, n)
  implicit none
  integer, intent(in) :: n
  real(8), intent(inout) :: x(2, 3), s
  real(8) :: a(2, 3), b(3)
  a = x*s
  b = sum(spread(matmul(a(1, :), transpose(a)), 2, n), 1)
  a = a + spread(cshift(b, 1), 1, 2)*s
  s = sum(spread(a, 3, n)*s) + sum(spread(spread(s, 1, 2), 2, n) + a)
  x = a + s
end subroutine spread_out

subroutine shifted(x, s)
  implicit none
  real(8), intent(inout) :: x(4), s
  real(8) :: a(4)
  a = x
  s = sum(s + cshift(a*x, 1)) + sum(s*eoshift(a, 1))
  a = s
  x = a*x
end subroutine shifted

subroutine chosen(x, s)
  implicit none
  real(8), intent(inout) :: x(4), s
  real(8) :: a(4)
  a = x
  s = sum(s + pack(a*x, a > 0.4d0)) + sum(s*unpack(a(1:2), x > 0.9d0, a))
  a = s
  x = a*x
end subroutine chosen

subroutine reshaped(x, s, k)
  implicit none
  integer, intent(in) :: k
  real(8), intent(inout) :: x(2, 3), s
  real(8) :: a(2, 3)
  a = x
  s = sum(s + reshape(a*x, [k, 3])) + sum(s*reshape(a, shape(x)))
  a = s
  x = a*x + spread(maxval(a, 1) + s, 1, k)
end subroutine reshaped

subroutine joined(x, s)
  implicit none
  real(8), intent(inout) :: x(4), s
  real(8) :: a(4)
  a = x
  s = sum(s + [a*x, s, 2d0*a(2:3)]) + sum(s*[a, cshift(a, 2)])
  a = s
  x = a*x
end subroutine joined
