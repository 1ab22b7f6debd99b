! call p x=[0.5,1.5,0.75] y=0.5
! The first assignment to an array of the host: nothing of it is read before.
subroutine p(x, y)
  implicit none
  real(8), intent(in) :: x(3)
  real(8), intent(inout) :: y
  real(8) :: a(3, 3), b(0:2)
  integer :: i, j
  call first
  y = y*sum(a) + b(2)*b(1)
contains
  subroutine first
    forall (i = 1:3, j = 1:3) a(i, j) = x(j)*y
    forall (i = 0:2, x(i+1) > 0.6d0) b(i) = x(3-i)**2
  end subroutine first
end subroutine p
