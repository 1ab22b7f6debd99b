! call p n=3 a=0.75 z=[(0.5,-0.25),(1,0.5),(0.75,0.25)] w=[(1.5,0.75),(0.5,1),(2,-0.5)]
! along a=-0.5 z=[(0.25,1),(0.5,-1),(1,0.25)] w=[(-1,0.5),(0.25,0.5),(0.5,-0.75)]
! Arrays of complex numbers, among them one that a real number is spread over.
subroutine p(n, a, z, w)
  implicit none
  integer, intent(in) :: n
  real(8), intent(in) :: a
  complex(8), intent(inout) :: z(n), w(n)
  complex(8) :: t(n)
  t = z*w*a
  w = exp(t)*z
  z = t*w
end subroutine p
