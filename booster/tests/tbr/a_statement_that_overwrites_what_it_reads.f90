! call s x=1.5 y=0.25
subroutine s(x, y)
  real(8) :: x, y
  x = x*x
  y = 2.0*y
  x = x + y
end subroutine
