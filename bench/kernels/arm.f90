! Position and direction of the hand of an arm with six joints, for many angles of its joints.
subroutine arm(n, q, p)
  implicit none
  integer, intent(in) :: n
  real(8), intent(in) :: q(6, n)
  real(8), intent(out) :: p(6, n)
  real(8) :: s1, c1, s2, c2, s23, c23, s4, c4, s5, c5, s6, c6, reach, lift, ax, ay, az, bx, by, bz, t
  integer :: i
  do i = 1, n
    s1 = sin(q(1, i))
    c1 = cos(q(1, i))
    s2 = sin(q(2, i))
    c2 = cos(q(2, i))
    t = q(2, i) + q(3, i)
    s23 = sin(t)
    c23 = cos(t)
    s4 = sin(q(4, i))
    c4 = cos(q(4, i))
    s5 = sin(q(5, i))
    c5 = cos(q(5, i))
    s6 = sin(q(6, i))
    c6 = cos(q(6, i))
    reach = 0.43d0*c2 + 0.02d0*c23 + 0.43d0*s23
    lift = 0.66d0 - 0.43d0*s2 - 0.02d0*s23 + 0.43d0*c23
    ax = c23*c4*s5 + s23*c5
    ay = s4*s5
    az = c23*c5 - s23*c4*s5
    bx = c23*(c4*c5*c6 - s4*s6) - s23*s5*c6
    by = s4*c5*c6 + c4*s6
    bz = -s23*(c4*c5*c6 - s4*s6) - c23*s5*c6
    p(1, i) = c1*(reach + 0.056d0*ax) - s1*(0.15d0 + 0.056d0*ay)
    p(2, i) = s1*(reach + 0.056d0*ax) + c1*(0.15d0 + 0.056d0*ay)
    p(3, i) = lift + 0.056d0*az
    p(4, i) = c1*bx - s1*by
    p(5, i) = s1*bx + c1*by
    p(6, i) = bz
  end do
end subroutine arm
