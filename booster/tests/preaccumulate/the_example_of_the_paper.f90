! call block v1=1.5 v2=0.7 v3=0 v4=0 v6=0 v7=0
! along v1=1 v2=-0.5 v3=0 v4=0 v6=0 v7=0
! options --technique edge --heuristic hs,lm,reverse --name-partials
! Paper 2, section 3, equations 3 to 6: every vertex but t is an output.
subroutine block(v1, v2, v3, v4, v6, v7)
  implicit none
  real(8), intent(in) :: v1, v2
  real(8), intent(inout) :: v3, v4, v6, v7
  v3 = v1*v2
  v4 = v1*v3
  v7 = (v3*v2)*v4
  v6 = sin(v4)
end subroutine block
