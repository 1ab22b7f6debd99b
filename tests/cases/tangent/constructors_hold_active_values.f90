! Structure constructors with keywords and defaults, of extensions, nested; array constructors.
module points
  implicit none
  type :: point
    real(8) :: x, y = 2d0
    integer :: tag = 7
  end type
  type, extends(point) :: named
    character(4) :: name = 'none'
    real(8) :: z(2) = 0d0
  end type
  type :: segment
    type(point) :: a, b
  end type
  type :: bag
    real(8), allocatable :: v(:)
    character(:), allocatable :: text
  end type
contains
  pure function length2(s) result(l)
    type(segment), intent(in) :: s
    real(8) :: l
    l = (s%a%x - s%b%x)**2 + (s%a%y - s%b%y)**2
  end function
end module

subroutine head(n, x, y)
  use points
  implicit none
  integer, intent(in) :: n
  real(8), intent(in) :: x(n)
  real(8), intent(out) :: y(n)
  type(segment) :: s
  type(named) :: m
  type(bag) :: b
  type(point) :: ps(2)
  real(8) :: grid(2, 3)
  integer :: i, j
  s = segment(point(x(1), y=x(2)*x(3), tag=3), point(x(3)**2))
  y(1) = length2(s) + real(s%b%tag, 8)
  m = named(x=x(1), z=[x(2), sin(x(3))])
  m = named(point=point(m%x*x(2), x(3), 1), name='here', z=m%z*x(1))
  b = bag([x(1)*x(2), (x(i)**2, i = 1, n), 1d0], 'abc')
  y(2) = m%x*m%z(2) + m%y + sum(b%v)*real(len(b%text), 8)
  ps = [point(x(1)), point(x(2), x(1))]
  grid = reshape([((x(j)*real(i, 8) + x(1), i = 1, 2), j = 1, 3)], [2, 3])
  y(3) = sum(grid(2, :)*x) + ps(2)%y*ps(1)%x + ps(1)%y
  y(3) = y(3) + length2(segment(ps(1), ps(2)))
end subroutine
