! call placed n=4 x=[1.2,0.7,0.4,0.9] y=0.5
! call grown n=4 x=[1.2,0.7,0.4,0.9] y=0.5
! call nested n=4 x=[1.2,0.7,0.4,0.9] y=0.5
! call by_pointer n=4 x=[1.2,0.7,0.4,0.9] y=0.5
! What array intrinsics and array constructors make of structures is assigned component by component.
module points
  implicit none
  type :: point
    real(8) :: x = 0, w = 1
    integer :: tag = 0
  end type
  type :: corner
    real(8) :: at(2) = 0
    type(point) :: p
  end type
contains
  real(8) function weighed(p)
    type(point), intent(in) :: p(:)
    weighed = sum(p%x*p%w) + 0.1d0*sum(p%tag*p%x)
  end function
end module

subroutine placed(n, x, y)
  use points
  implicit none
  integer, intent(in) :: n
  real(8), intent(in) :: x(n)
  real(8), intent(inout) :: y
  type(point) :: p(n), q(n), m(2, n), s
  integer :: i
  p = [(point(x(i)**2, tag=i), i=1, n)]
  p = cshift(p, 1)
  q = merge(p, p(n:1:-1), p%x > 0.5d0)
  p(2:3) = eoshift(q(2:3), 1, boundary=point(x(1), x(2)))
  m = spread(q, 1, 2)
  m(2, :) = merge(p, q, [.true., .false., .true., .false.])
  q = reshape(transpose(m(:, 1:2)), [n], pad=p)
  p = pack(q, q%x > 0.3d0, vector=p)
  p = unpack(q, p%x < 0.6d0, p)
  s = merge(p(1), point(w=x(3)), x(4) > 0.5d0)
  y = y + weighed(p) + weighed(reshape(m, [2*n])) + s%x*s%w
end subroutine

subroutine grown(n, x, y)
  use points
  implicit none
  integer, intent(in) :: n
  real(8), intent(in) :: x(n)
  real(8), intent(inout) :: y
  type(point), allocatable :: p(:)
  integer :: i
  allocate(p(0))
  do i = 1, n
    p = [p, point(x(i)*y, x(n + 1 - i), i)]
    if (size(p) > 2) p = [p(3), p(1:2)]
    y = y + weighed(p)
  end do
  p = pack(p, p%w > 0.8d0)
  y = y*weighed(p)
end subroutine

subroutine nested(n, x, y)
  use points
  implicit none
  integer, intent(in) :: n
  real(8), intent(in) :: x(n)
  real(8), intent(inout) :: y
  type(corner) :: c(3), d(2)
  c = [corner([x(1), 2d0], point(x(2))), corner(x(3:4), point(1d0, x(1), 7)), corner(at=x(2), p=point())]
  d = c(1:2)
  c = [d(2), corner(p=c(3)%p), d(1)]
  c(1:2) = cshift(c(1:2), 1)
  y = y*sum(c%at(1)*c%at(2)) + weighed(c%p) + weighed([c(1)%p, d%p])
end subroutine

subroutine by_pointer(n, x, y)
  use points
  implicit none
  integer, intent(in) :: n
  real(8), intent(in) :: x(n)
  real(8), intent(inout) :: y
  type(point), target :: p(n)
  type(point), pointer :: left(:), right(:)
  integer :: i
  do i = 1, n
    p(i) = point(x(i), y*x(i), i)
  end do
  left => p(1:n - 1)
  right => p(2:n)
  left = cshift(right, 1)
  right = merge(left, left(size(left):1:-1), left%x > right%w)
  y = y + weighed(p)*weighed(left)
end subroutine
