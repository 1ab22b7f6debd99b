! call p x=2 y=1
! along x=1
subroutine p(x, y)
  implicit none
  real(8) :: x, y, t, z
  t = 0
  if (x > 1) t = x
  y = t*x
  return
  entry q(x, z)
  if (x > 1) then
    t = 2*x
  else if (x > 0) then
    t = x
  end if
  if (x > 0) z = z + t*x
end subroutine p
