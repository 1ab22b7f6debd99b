! call head x=[0.7,1.3,0.9,0.4] y=0.5
! One structure with an array component is chosen by MERGE: its components are arrays.
module merged_arrays
  implicit none
  type :: pair
    real(8) :: a = 1d0
    real(8) :: b(2) = [0.5d0, 1.5d0]
  end type
contains
  subroutine head(x, y)
    real(8), intent(in) :: x(4)
    real(8), intent(inout) :: y
    type(pair) :: w, z, u
    z = pair(x(1), x(2:3))
    w = pair(x(4), [x(1), 2d0])
    w = merge(w, z, x(1) > x(2))
    u = z
    y = y*w%a*w%b(1)*w%b(2)**2 + u%a*u%b(2)
    w = merge(pair(3d0, [x(4), x(4)]), z, x(1) < x(2))
    y = y*w%b(1)*w%a + w%b(2)*y
  end subroutine
end module
