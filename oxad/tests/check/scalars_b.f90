subroutine scalars_b(a, ab, b, bb, c, cb, k, flag)
  implicit none
  real(8), intent(in) :: a
  real(8), intent(inout) :: ab
  real, intent(in) :: b
  real, intent(inout) :: bb
  real(8), intent(inout) :: c, cb
  integer, intent(in) :: k
  logical, intent(in) :: flag
  if (flag) then
    bb = bb + real(cb)
    ab = ab + c*k*sin(a)**(k - 1)*cos(a)*cb
    cb = cb*sin(a)**k
  else
    ab = ab - c*exp(-a)*b*cb
    bb = bb + real(c*exp(-a)*cb)
    cb = cb*exp(-a)*b
  end if
end subroutine scalars_b
