program main
  use api
  implicit none
  type(counter) :: c
  call c%bump()
  call c%bump(by=5)
  print *, c%n, twice(c)
end program main
