! call plain n=4 x=[1.2,0.7,0.4,0.9] y=0.5
! call held n=4 x=[1.2,0.7,0.4,0.9] y=0.5
! call parts n=4 x=[1.2,0.7,0.4,0.9] y=0.5
! What a function returns, called in two halves, gives an allocatable variable another shape in each
! round: the shape is recorded though the value is not, and the adjoint has it, too.
module growing
  implicit none
  type :: state
    real(8), allocatable :: w(:)
  end type
contains
  function shifted(v) result(s)
    real(8), intent(in) :: v(:)
    real(8) :: s(size(v))
    s = v**2 + v(size(v):1:-1)
  end function

  elemental function bent(v) result(s)
    real(8), intent(in) :: v
    real(8) :: s
    s = v*v
    s = s*v
  end function

  function made(v) result(s)
    real(8), intent(in) :: v(:)
    real(8), allocatable :: s(:)
    allocate(s(size(v)))
    s = v*v(1)
  end function
end module

subroutine plain(n, x, y)
  use growing
  implicit none
  integer, intent(in) :: n
  real(8), intent(in) :: x(n)
  real(8), intent(inout) :: y
  real(8), allocatable :: a(:), b(:), c(:)
  integer :: k
  do k = 2, n
    a = shifted(x(:k))
    b = bent(x(k-1:))
    c = made(x(k:))
    y = y + sum(a) + 2*sum(b) + 3*sum(c)
  end do
end subroutine

subroutine held(n, x, y)
  use growing
  implicit none
  integer, intent(in) :: n
  real(8), intent(in) :: x(n)
  real(8), intent(inout) :: y
  real(8), allocatable :: a(:), b(:), c(:)
  integer :: k
  do k = 2, n
    a = shifted(x(:k))
    b = bent(x(k-1:))
    c = made(x(k:))
    y = y*sum(a) + 2*sum(b**2) + 3*sum(sin(c))
  end do
end subroutine

subroutine parts(n, x, y)
  use growing
  implicit none
  integer, intent(in) :: n
  real(8), intent(in) :: x(n)
  real(8), intent(inout) :: y
  type(state) :: s(2)
  integer :: k
  do k = 2, n
    s(1)%w = shifted(x(:k))
    s(2)%w = bent(s(1)%w(k-1:))
    y = y + sum(s(1)%w(:2)*s(2)%w) + bent(s(2)%w(1))
  end do
end subroutine
