! call drive x=[0.3,0.5] y=0.2
! Which specific binding an operator means is told by which operand is the object.
module operator_with_the_object_on_either_side
  implicit none
  type :: vec
    real(8) :: a(2) = 0
  contains
    procedure :: scale_r
    procedure, pass(b) :: scale_l
    generic :: operator(*) => scale_r, scale_l
  end type vec
contains
  function scale_r(a, s) result(r)
    class(vec), intent(in) :: a
    real(8), intent(in) :: s
    type(vec) :: r
    r%a = s*a%a
  end function scale_r

  function scale_l(s, b) result(r)
    real(8), intent(in) :: s
    class(vec), intent(in) :: b
    type(vec) :: r
    r%a = s*b%a(2:1:-1)
  end function scale_l

  subroutine drive(x, y)
    real(8), intent(inout) :: x(2), y
    type(vec) :: u, v, w
    u%a = x
    v = x(1)*u
    w = v*y
    y = y*v%a(2) + w%a(1)**2
  end subroutine drive
end module operator_with_the_object_on_either_side
