! call s x1=1.5 x2=0.25 v=3
subroutine s(x1, x2, v)
  real(8) :: x1, x2, v, y, z
  y = sin(x1 + x2)
  z = y
  x1 = x2
  v = z*x2
end subroutine
