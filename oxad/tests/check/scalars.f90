! Scalars of both precisions and of both intents.
subroutine scalars(a, b, c, k, flag)
  implicit none
  real(8), intent(in) :: a
  real, intent(in) :: b
  real(8), intent(inout) :: c
  integer, intent(in) :: k
  logical, intent(in) :: flag

  if (flag) then
    c = c*sin(a)**k + b
  else
    c = c*exp(-a)*b
  end if
end subroutine scalars
