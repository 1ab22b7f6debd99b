module settings
  implicit none
  real :: tolerance = 1.0e-4
end module settings
