! call parts x=[0.5,1.5] z=[(0.5,1.0),(1.5,-0.5)]
! Parts of complex arrays are recorded with their arrays and set aside by their values.
subroutine parts(x, z)
  implicit none
  real(8), intent(inout) :: x(2)
  complex(8), intent(inout) :: z(2)
  integer :: k
  do k = 1, 2
    z%re = z%im*x + z(2:1:-1)%re*z%re
    x = x*z%re
    z(k:2)%im = sin(z(k:2)%im)*x(k:2)
    where (abs(z) > 0.3d0)
      z = z*exp((0, 1)*aimag(z))
    elsewhere
      z%re = z%im*x
    end where
  end do
end subroutine parts
