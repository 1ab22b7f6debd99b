module strict
  implicit none (type, external)
contains
  subroutine go(x)
    real, intent(inout) :: x
    x = x + 1.0
  end subroutine go
end module strict
program loose
  use strict
  implicit real (a-h, o-z), integer (i-n)
  x = 2.5
  n = 3
  call go(x)
  print *, x, n
end program loose
