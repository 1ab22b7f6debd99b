! call head n=3 x=[0.3,0.5,0.7] y=[1,2,3]
! What the mask says of all elements is said once: the adjoint has the shape of the array.
subroutine head(n, x, y)
  implicit none
  integer, intent(in) :: n
  real(8), intent(inout) :: x(n), y(n)
  y = y*pack(x*x + x, .true.)
  x = pack(y*y - y, n > 0)
end subroutine head
