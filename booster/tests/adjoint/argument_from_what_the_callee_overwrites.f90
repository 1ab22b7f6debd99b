! call p x=[0.7,1.1,0.9] y=0.5
! An argument is computed from what the callee then overwrites: also where it has no statement of its own when it
! is decided what to record, the callee gives that back.
module argument_from_the_overwritten
  implicit none
contains
  subroutine p(x, y)
    real(8), intent(in) :: x(3)
    real(8), intent(out) :: y
    real(8) :: b, c, v(2)
    b = x(3)
    v = x(1)*x(2)
    call mix(c, b, sin(b))
    call scaled(v, v(1)**2)
    y = c*v(2) + b
  end subroutine p
  subroutine mix(a, b, u)
    real(8), intent(inout) :: a, b
    real(8), intent(in) :: u
    a = u
    b = 0.06d0
  end subroutine mix
  subroutine scaled(v, u)
    real(8), intent(inout) :: v(2)
    real(8), intent(in) :: u
    v(1) = 0.3d0
    v(2) = v(2)*u
  end subroutine scaled
end module argument_from_the_overwritten
