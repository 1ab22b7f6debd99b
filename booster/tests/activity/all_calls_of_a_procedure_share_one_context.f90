! activity head=f independent=a dependent=r,s
! run a=1.0 b=2.0
! why twice:v
! why c
! why u
! why b
subroutine f(a, b, r, s)
  real, intent(in) :: a, b
  real, intent(out) :: r, s
  real :: c, u
  c = 3.0
  call twice(a, b, r)
  ! c is passed for an argument that is varied at the other call.
  call twice(c, a, s)
  ! Nothing comes out of this call that a dependent depends on.
  call twice(a, c, u)
end subroutine

subroutine twice(p, q, v)
  real, intent(in) :: p, q
  real, intent(out) :: v
  v = 2*p*q
end subroutine
