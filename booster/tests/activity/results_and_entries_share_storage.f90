! activity head=f independent=x dependent=y
! run x=1.5
subroutine f(x, y)
  real :: x, y, twice, thrice
  external twice, thrice
  y = twice(x) + thrice(2.0)
end subroutine

real function twice(a)
  real :: a, thrice, b
  twice = 2*a
  return
entry thrice(b)
  thrice = 3*b
end function
