! call p n=3 k=2 a=[0.5,1.5,2] s=0.3
! call q n=3 k=2 a=[0.5,1.5,2] s=0.3
! What is passed is named by a variable that the call overwrites as well; how many elements the array
! has is not known.
subroutine p(n, k, a, s)
  implicit none
  integer, intent(in) :: n
  integer, intent(inout) :: k
  real(8), intent(inout) :: a(*), s
  s = s*a(k)**2
  call bump(k, a(k))
  s = s + a(k)*a(n)
  call bump(k, a(k))
  s = s*a(1)*a(2)*a(n)
end subroutine p

subroutine q(n, k, a, s)
  implicit none
  integer, intent(in) :: n
  integer, intent(inout) :: k
  real(8), intent(inout) :: a(*), s
  integer :: m(3)
  m = [2, 3, 1]
  s = s*a(m(k))**2
  call bump(m(k), a(m(k)))
  s = s + a(m(2))*a(n)
  call both(k, a(k + 1 - 1), s)
  s = s*a(k)*a(n)
end subroutine q

subroutine bump(k, v)
  implicit none
  integer, intent(inout) :: k
  real(8), intent(inout) :: v
  k = 1 + modulo(k, 3)
  v = v*v + 0.25d0*v
end subroutine bump

subroutine both(k, v, s)
  implicit none
  integer, intent(inout) :: k
  real(8), intent(inout) :: v, s
  s = s*v*k
  k = 1 + modulo(k, 3)
  v = sin(s)
end subroutine both
