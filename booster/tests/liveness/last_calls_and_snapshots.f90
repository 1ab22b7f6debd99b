! joint
! activity head=top independent=x,z,w dependent=y
! why z@13
! call top n=2 x=[0.5,1.5] z=[0.25,-0.5] w=[1.0,2.0] y=0
! The second call overwrites nothing that an adjoint reads. The snapshot of the first holds x alone.
subroutine top(n, x, z, w, y)
  implicit none
  integer, intent(in) :: n
  real(8), intent(inout) :: x(n), z(n), w(n)
  real(8), intent(out) :: y
  call step(n, x, z, w)
  call step(n, x, z, w)
  z = z + w
  w = 3*w
  y = sum(x) + sum(z) + sum(w)
end subroutine top

subroutine step(n, x, z, w)
  implicit none
  integer, intent(in) :: n
  real(8), intent(inout) :: x(n), z(n)
  real(8), intent(in) :: w(n)
  integer :: k
  do k = 1, 3
    x = x*x
    z = z + 2*x + w
  end do
end subroutine step
