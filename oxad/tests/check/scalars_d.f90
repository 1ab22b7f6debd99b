subroutine scalars_d(a, ad, b, bd, c, cd, k, flag)
  implicit none
  real(8), intent(in) :: a, ad
  real, intent(in) :: b, bd
  real(8), intent(inout) :: c, cd
  integer, intent(in) :: k
  logical, intent(in) :: flag

  if (flag) then
    cd = cd*sin(a)**k + c*k*sin(a)**(k - 1)*cos(a)*ad + bd
    c = c*sin(a)**k + b
  else
    cd = cd*exp(-a)*b - c*exp(-a)*b*ad + c*exp(-a)*bd
    c = c*exp(-a)*b
  end if
end subroutine scalars_d
