! call host x=[0.5,1.5] y=0
subroutine host(x, y)
  implicit none
  real(8), intent(inout) :: x(2)
  real(8), intent(out) :: y
  real(8) :: t, w(3)
  integer :: i
  t = x(1)*x(2)
  w = t
  do i = 1, 2
    call step(w(i), t)
    t = t*w(i)
  end do
  y = value(w(2)) + w(2)*w(3)*t
contains
  subroutine step(a, b)
    real(8), intent(inout) :: a
    real(8), intent(in) :: b
    real(8) :: loc
    loc = a*b
    w(3) = w(3)*loc
    a = sin(loc)*x(1)
    x(2) = x(2)*a
  end subroutine step
  function value(q)
    real(8), intent(in) :: q
    real(8) :: value
    value = q*q*w(1)
    t = t*value
  end function value
end subroutine host
