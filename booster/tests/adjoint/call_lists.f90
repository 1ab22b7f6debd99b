! call top x=0.5 y=0
module lst
  implicit none
contains
  function list(n, a) result(r)
    integer, intent(in) :: n
    real(8), intent(in) :: a
    real(8), allocatable :: r(:)
    integer :: i
    allocate(r(n))
    do i = 1, n
      r(i) = a*i
    end do
    r(1) = r(1)*r(n)
  end function list
end module lst
subroutine top(x, y)
  use lst
  implicit none
  real(8), intent(inout) :: x
  real(8), intent(out) :: y
  real(8), allocatable :: v(:)
  v = list(3, x)
  y = sum(v)*x
  y = y + sum(list(2, y))
end subroutine top
