! call p v1=1.3 v2=0.7 v6=0.1 v7=0.2
! The example of paper 2, equations 3 to 6, where only t is no output.
subroutine p(v1, v2, v3, v4, v6, v7)
  implicit none
  real(8), intent(in) :: v1, v2
  real(8), intent(out) :: v3, v4, v6, v7
  real(8) :: t, c_3_1, c_3_2, c_4_1, c_4_2, c_4_3, c_6_1, c_6_2, c_6_4, c_7_1, c_7_2, c_7_3, c_7_4
  v3 = v1*v2 !> value
  c_3_1 = v2 !> entry
  c_3_2 = v1 !> entry
  v4 = v1*v3 !> value
  c_4_1 = v3 !> entry
  c_4_3 = v1 !> entry
  v6 = cos(v4) !> value
  c_6_4 = -sin(v4) !> entry
  t = v3*v2 !> value
  c_7_4 = t !> entry
  v7 = t*v4 !> value
  c_7_3 = v2*v4 !> entry
  c_7_1 = c_4_1*c_7_4 !> entry
  c_7_3 = c_7_3 + c_7_4*c_4_3 !> entry
  c_7_1 = c_7_1 + c_7_3*c_3_1 !> entry
  c_7_2 = c_7_3*c_3_2 !> entry
  c_7_2 = c_7_2 + v3*v4 !> entry
  c_4_1 = c_4_1 + c_4_3*c_3_1 !> entry
  c_4_2 = c_4_3*c_3_2 !> entry
  c_6_1 = c_6_4*c_4_1 !> entry
  c_6_2 = c_6_4*c_4_2 !> entry
  v3 = c_3_1*v1 + c_3_2*v2 !> step
  v4 = c_4_1*v1 + c_4_2*v2 !> step
  v6 = c_6_1*v1 + c_6_2*v2 !> step
  v7 = c_7_1*v1 + c_7_2*v2 !> step
end subroutine
