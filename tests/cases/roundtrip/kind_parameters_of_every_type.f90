module kinds
  use, intrinsic :: iso_fortran_env, only: real32, real64, int64, int8
  implicit none
  integer, parameter :: sp = selected_real_kind(6), dp = selected_real_kind(15, 307)
  integer, parameter :: long = selected_int_kind(12)
  integer, parameter :: wp = dp
  real(wp), parameter :: third = 1.0_wp/3.0_wp
end module kinds

program precision_matters
  use kinds
  implicit none
  real(kind=sp) :: s
  real(dp) :: d
  real(real64) :: e
  integer(long) :: big
  integer(int64) :: huge_one
  integer(int8) :: tiny_one
  logical(kind=1) :: flag
  complex(wp) :: z
  character(kind=kind('a'), len=3) :: text
  s = 0.1_sp
  d = 0.1_dp
  e = 0.1
  big = 123456789012_long
  huge_one = 2_int64**40
  tiny_one = 127_int8
  flag = .true._1
  z = (1.0_wp, third)
  text = 'abc'
  print *, s, d, e, third
  print *, big, huge_one, tiny_one, flag, z, text
  print *, real(d, sp), real(s, kind=dp), int(d*100, long), cmplx(s, 2.0, kind=wp)
  print *, kind(z), kind(1.0_wp*s), kind(flag), real(1, real32), epsilon(d) < 1.0e-10_wp
end program precision_matters
