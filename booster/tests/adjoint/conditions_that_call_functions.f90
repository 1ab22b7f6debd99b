! call p s=0.5 y=0.25
! Without facts of activity, a function in a condition has an adjoint: what its arguments are computed
! from is needed there.
subroutine p(s, y)
  implicit none
  real(8), intent(inout) :: s, y
  real(8) :: a(3), b(3), f
  external :: f
  a = 0.5d0*s + 0.3d0
  b = y
  if (f(a/(-b)) < 1.5d0) then
    b = 0.4d0
    a = s*b
  end if
  do while (f(a*b) < 4d0)
    b = b + 0.5d0*a
    a = a*1.5d0
  end do
  s = sum(a)*y
  y = sum(b*a)
end subroutine p

real(8) function f(x)
  implicit none
  real(8), intent(in) :: x(3)
  f = x(1)*x(2) + x(3)
end function f
