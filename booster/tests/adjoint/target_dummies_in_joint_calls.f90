! call p x=[0.7,1.3,0.4] y=[0,0]
! The snapshot of a joint call holds the module variable, not another object that the same dummy argument was.
module shared_targets
  implicit none
  real(8) :: level = 0.5d0
  real(8), target :: pair(2) = 0.2d0
contains
  recursive subroutine look(k, u, v)
    integer, intent(in) :: k
    real(8), intent(inout), target :: u
    real(8), intent(inout) :: v
    real(8) :: t
    t = v
    if (k > 1) call look(k - 1, u, v)
    v = t
  end subroutine look
  subroutine seen(u)
    real(8), intent(in), target :: u
    if (u > 1d300) stop
  end subroutine seen
  subroutine step()
    level = level*sin(level)
  end subroutine step
  subroutine spread_out(u)
    real(8), intent(in) :: u
    pair(1) = pair(2)*u
    pair(2) = 0.3d0*u
  end subroutine spread_out
  subroutine inner(u, t)
    real(8), intent(in) :: u
    real(8), intent(inout), target :: t
    t = sin(u)*t
    t = cos(t)
    t = sin(t)*t
  end subroutine inner
  subroutine outer(u, v)
    real(8), intent(in) :: u
    real(8), intent(inout), target :: v(4)
    real(8), save :: total = 0.3d0
    call inner(u, v(2))
    total = total + u
  end subroutine outer
  subroutine p(x, y)
    real(8), intent(in) :: x(3)
    real(8), intent(out) :: y(2)
    real(8) :: c, v, w(4)
    c = 0.1d0
    v = x(2)
    pair = 0.4d0
    level = x(1)
    w = exp(x(2))
    w = sin(w)*w
    call step()
    call look(3, c, v)
    call spread_out(v)
    call seen(v)
    call seen(level)
    call outer(x(1), w)
    y(1) = sum(pair) + level
    y(2) = sum(w)*x(3)
  end subroutine p
end module shared_targets
