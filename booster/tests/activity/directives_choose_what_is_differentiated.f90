subroutine f(x, p, y, z)
  real :: x, p, y, z
!$openad independent(x)
!$oxad dependent(y)
  y = x*p
  z = p**2
end subroutine

subroutine g(x, y)
  real :: x, y
  y = x
end subroutine
