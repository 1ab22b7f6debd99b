program spellings
  implicit none
  real :: a = 1.0, b = 2.0
  logical :: p
  p = a .lt. b .and. a <= b .or. a .eq. b
  print *, p, a /= b, a .ne. b, a >= b, a .GE. b, a > b, a .gt. b, a == b
  print *, p .eqv. .true., p .neqv. .false., .not. (a < b .or. .not. p)
  print *, -a**2, 2**3**2, -b**(-1), a - (b - a), (a + b)*(a - b), a/b/b, a/(b*b), 'x' // 'y' == 'xy'
  print *, +a, -(-b), a*(-b), 1.0e0 + (-2)*3, a**(-2), mod(-7, 3)
end program spellings
