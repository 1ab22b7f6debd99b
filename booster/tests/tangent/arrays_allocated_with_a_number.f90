! call p x=[0.5,1.5,2.0] y=0
! along x=[1,0.3,-0.5]
! Bounds and a source: in several directions the derivative has a dimension more than the original.
subroutine p(x, y)
  implicit none
  real(8), intent(in) :: x(3)
  real(8), intent(out) :: y
  real(8), allocatable :: a(:)
  allocate(a(3), source=0d0)
  a = a + x**2
  y = sum(a)
end subroutine p
