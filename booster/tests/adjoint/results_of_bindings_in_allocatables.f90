! call p x=[0.7,0.4,1.2] y=0.3
module grid_mod
  implicit none
  type :: grid
    integer :: refined = 2
    real(8) :: width = 1.0d0
  contains
    procedure :: values
    procedure :: nodes
  end type grid
contains
  ! More of them than w has.
  function values(self, w) result(r)
    class(grid), intent(in) :: self
    real(8), intent(in) :: w(:)
    real(8) :: r(2*size(w))
    r(1:size(w)) = self%width*w**2
    r(size(w) + 1:) = sin(w)
  end function values

  ! As many as the object says.
  function nodes(self, at) result(r)
    class(grid), intent(in) :: self
    real(8), intent(in) :: at
    real(8) :: r(self%refined + 1)
    integer :: i
    do i = 1, self%refined + 1
      r(i) = self%width*at**i
    end do
  end function nodes
end module grid_mod

subroutine p(x, y)
  use grid_mod
  implicit none
  real(8), intent(inout) :: x(3)
  real(8), intent(inout) :: y
  type(grid) :: g
  real(8), allocatable :: a(:), b(:)
  allocate(a(1), b(1))
  g%width = x(1)
  a = g%values(x)
  b = g%nodes(y)
  a = g%values(b)*2
  y = sum(a**2) + sum(b)
end subroutine p
