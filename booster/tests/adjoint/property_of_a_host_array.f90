! call p x=[0.7,1.3,0.4] y=[0,0]
! An internal procedure lets an array of its host grow by MOVE_ALLOC.
subroutine p(x, y)
  implicit none
  real(8), intent(in) :: x(3)
  real(8), intent(out) :: y(2)
  real(8), allocatable :: b(:), c(:)
  real(8) :: u
  integer :: i
  u = x(1)
  b = [x(1), x(2)]
  do i = 1, 3
    call grow(i)
    u = u*sum(b)*size(b)
    if (size(b) > 3) u = sin(u)
  end do
  y = u
contains
  subroutine grow(k)
    integer, intent(in) :: k
    c = [b, x(k)]
    call move_alloc(c, b)
  end subroutine
end subroutine
