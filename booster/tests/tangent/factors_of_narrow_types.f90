! call head n=1000000000 m=7 x=1.5 y=[0,0,0,0,0]
! along x=1
! A factor that is an integer, or of single precision, is not multiplied with the next: `n*3` overflows.
subroutine head(n, m, x, y)
  implicit none
  integer, intent(in) :: n, m
  real(8), intent(in) :: x
  real(8), intent(out) :: y(5)
  y(1) = n*x**3
  y(2) = n*x**m
  y(3) = 1000000000*x**4
  y(4) = 2.11e-5*x**1.94
  y(5) = 2.5*x**1.5
end subroutine head
