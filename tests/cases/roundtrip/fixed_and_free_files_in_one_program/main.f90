program main
  implicit none
  integer :: n, kount
  real :: x
  common /stats/ kount
  kount = 0
  x = 1.0
  call newton(x, n)
  print *, x, n, kount
end program main
