! call p x=[0.5,1.5,0.75] y=0.5
! An assignment that does not change the shape of an allocatable array leaves its bounds: of a variable, a component, a
! dummy argument, a matrix. One that does begins with 1.
module results_that_keep_bounds
  implicit none
  type holder
    real(8), allocatable :: v(:)
  end type holder
  real(8), allocatable :: shared(:)
contains
  function twice(a, b) result(r)
    real(8), intent(inout) :: a
    real(8), intent(in) :: b
    real(8) :: r(2)
    r = [a*b, sin(b)]
    a = a*b
  end function twice
  function constant(a, n) result(r)
    real(8), intent(inout) :: a
    integer, intent(in) :: n
    real(8) :: r(n)
    r = 0.3d0
    a = a*a
  end function constant
  function square(a) result(r)
    real(8), intent(in) :: a
    real(8) :: r(2, 2)
    r = reshape([a, a*a, cos(a), 2*a], [2, 2])
  end function square
  subroutine inside(v, a)
    real(8), allocatable, intent(inout) :: v(:)
    real(8), intent(inout) :: a
    v = twice(a, 0.7d0)
    a = a*v(lbound(v, 1))*(3 + lbound(v, 1))
  end subroutine inside
  subroutine p(x, y)
    real(8), intent(in) :: x(3)
    real(8), intent(inout) :: y
    real(8) :: a
    real(8), allocatable :: v(:), m(:, :)
    type(holder) :: h
    integer :: k
    allocate (v(-3:-2), h%v(0:1), m(2:3, -1:0))
    if (.not. allocated(shared)) allocate (shared(5:6))
    v = x(2:3)
    h%v = x(1)
    m = x(3)
    shared = x(2)
    a = x(2)
    v = constant(a, 2)
    y = y + a*v(-3) + v(-2)*x(1)
    do k = 1, 2
      v = twice(a, x(k))
      h%v = twice(a, y)
      shared = twice(a, x(3))
      y = y*v(-2) + h%v(1)*shared(5)
    end do
    m = square(y)
    y = y*m(2, -1)*m(3, 0)
    call inside(v, y)
    h%v = constant(a, 3)
    y = y*h%v(3) + size(h%v)*a*lbound(v, 1)
    deallocate (shared)
  end subroutine p
end module results_that_keep_bounds
