! call outer x=[0.5,1.5] y=0
! Joint calls: a snapshot of what is read and overwritten.
subroutine outer(x, y)
  implicit none
  real(8), intent(inout) :: x(2)
  real(8), intent(out) :: y
  real(8) :: t
  interface
    function f(a, b)
      real(8), intent(in) :: a
      real(8), intent(in) :: b
      real(8) :: f
    end function f
    subroutine scale(v, s)
      real(8), intent(inout) :: v(2)
      real(8), intent(in) :: s
    end subroutine scale
  end interface
  t = f(x(1), x(2))*x(2)
  call scale(x, t)
  y = x(1)*f(t, x(2)) + t
  call scale(x, y)
end subroutine outer

function f(a, b)
  implicit none
  real(8), intent(in) :: a
  real(8), intent(in) :: b
  real(8) :: f
  f = a*a
  f = f + sin(b)*f
end function f

subroutine scale(v, s)
  implicit none
  real(8), intent(inout) :: v(2)
  real(8), intent(in) :: s
  v(1) = v(1)*s
  v(2) = v(2)*v(1)
end subroutine scale
