! call head x=[1.5,0.5] y=0
! The name of a COMMON block hides nothing: a local variable may have it.
subroutine head(x, y)
  implicit none
  double precision, intent(in) :: x(2)
  double precision, intent(out) :: y
  double precision :: t
  common /s/ t
  t = x(1)
  call adv(x(2))
  y = t
end subroutine head

subroutine adv(a)
  implicit none
  double precision, intent(in) :: a
  double precision :: t, s
  common /s/ t
  s = a*t
  t = t*s
end subroutine adv
