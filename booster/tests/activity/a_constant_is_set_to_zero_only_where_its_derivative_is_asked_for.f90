! run x=1.5 n=3
subroutine f(x, n, y, z)
  real, intent(in) :: x
  integer, intent(in) :: n
  real, intent(out) :: y, z
  real :: t, s
  ! Read where it is not varied: nothing is asked of its derivative.
  t = 2.0
  y = t*x
  t = x*x
  z = t
  ! Read where both arms meet: its derivative must be zero here.
  s = 1.0
  if (n > 2) then
    s = x
  end if
  y = y + s
end subroutine
