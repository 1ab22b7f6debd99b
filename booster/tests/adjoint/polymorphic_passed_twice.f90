! call f x=[0.7,1.3] y=0
! One polymorphic object for two dummy arguments: the adjoint of one of them gets a copy of its type.
module polymorphic_passed_twice
  implicit none
  type :: point
    real(8) :: v = 0
    real(8) :: w(2) = 0
  contains
    procedure :: dot
    procedure :: square
  end type point
  type, extends(point) :: scaled
    real(8) :: z = 1
  contains
    procedure :: dot => dot_scaled
  end type scaled
contains
  function dot(a, b) result(r)
    class(point), intent(in) :: a, b
    real(8) :: r
    r = a%v*b%v + dot_product(a%w, b%w)
  end function dot

  function dot_scaled(a, b) result(r)
    class(scaled), intent(in) :: a
    class(point), intent(in) :: b
    real(8) :: r
    r = a%v*b%v + dot_product(a%w, b%w)*a%z
  end function dot_scaled

  function square(a) result(r)
    class(point), intent(in) :: a
    real(8) :: r
    r = a%dot(a)
  end function square

  subroutine f(x, y)
    real(8), intent(inout) :: x(2)
    real(8), intent(inout) :: y
    type(point) :: s
    type(scaled) :: q
    s%v = x(1)
    s%w = x*x(2)
    q%point = s
    q%z = x(2)
    y = s%square()*q%square()
  end subroutine f
end module polymorphic_passed_twice
