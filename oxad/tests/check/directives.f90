! Directives tell what is differentiated.
subroutine directives(x, z, y)
!$oxad independent(x)
!$openad dependent(y)
  implicit none
  real(8), intent(in) :: x, z
  real(8), intent(out) :: y

  y = x*sin(z)
end subroutine directives
