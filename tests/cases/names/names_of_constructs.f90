! Names of constructs that a stage would have used; names in capitals and not.
subroutine P(X, Y)
  implicit none
  real(8), intent(in) :: X(3)
  real(8), intent(out) :: y
  real(8) :: Xb, T, tB
  integer :: k, BRANCH
  Xb = x(1); t = X(2); TB = x(3); branch = 0
  k = 0
10 continue
  k = k + 1
  if (k > 4) goto 30
  branch = BRANCH + k
  Rounds: do
    t = T*sin(xB)
    if (t < 0.5d0) exit ROUNDS
    arm: if (tb > 1) then
      tb = tb*t
      if (T < 0.7d0) exit arm
      xb = XB*tb
      cycle rounds
    end if arm
    TB = sin(tb*t)
    if (branch > 3) goto 20
    xb = xb + tb*xb
  end do rounds
  xb = xb*sin(xb)
  goto 10
20 tb = tb*Xb + 1
  goto 10
30 y = t*tb*xb*branch
end subroutine
