program standard_modules
  use, intrinsic :: iso_fortran_env, only: output_unit, error_unit, dp => real64, iostat_end
  use, intrinsic :: ieee_arithmetic
  use iso_c_binding, only: c_double, c_int, c_sizeof
  implicit none
  real(dp) :: x
  real(c_double) :: y
  integer(c_int) :: n
  x = 1.0_dp/3.0_dp
  y = real(x, c_double)
  n = int(y*10)
  write (output_unit, *) x, y, n, ieee_is_finite(x), c_sizeof(y)
  print *, iostat_end < 0, error_unit /= output_unit
end program standard_modules
