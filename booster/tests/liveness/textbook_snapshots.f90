! joint
! activity head=example independent=x,y,z dependent=x,y,z
! call example x=0.5 y=1.25 z=0.75
! The example of the thesis of Araya Polo (2006), 4.5.3: the snapshot holds x, not z; the last statements go.
subroutine example(x, y, z)
  implicit none
  real(8), intent(inout) :: x, y, z
  real(8) :: w
  w = cos(y)
  z = w*sin(x)
  call sub(w, x, y, z)
  y = z*w
  z = y**2 + x*cos(z)
end subroutine example

subroutine sub(w, x, y, z)
  implicit none
  real(8), intent(in) :: w, y, z
  real(8), intent(inout) :: x
  real(8) :: u
  u = cos(w) + y + x
  x = z/u
end subroutine sub
