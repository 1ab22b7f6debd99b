! call p x=[1.5,0.5,0.25] s=[0.1,0.55,0.95] y=[0,0,0]
! call q x=[1.5,0.5,0.25] s=[0.1,0.55,0.95] y=[0,0,0]
! call r x=[1.5,0.5,0.25] s=[0.1,0.55,0.95] y=[0,0,0]
! call t x=[1.5,0.5,0.25] s=[0.1,0.55,0.95] y=[0,0,0]
! What has no derivative and is computed under a mask is not evaluated for other elements in the adjoint of a
! scalar, of an array that is made of others, of MERGE, of a vector subscript, or
! of what an array holds in between, beside it.
module masked_constants
  implicit none
  real(8), parameter :: table(7) = [0.5d0, 1.5d0, 0.75d0, 2d0, 0.25d0, 1.25d0, 3d0]
  real(8), parameter :: fixed(3) = [0.1d0, 0.55d0, 0.95d0]
contains
  elemental function guarded(v) result(r)
    real(8), intent(in) :: v
    real(8) :: r
    r = table(int(10d0*v) - 2)*v
  end function guarded

  subroutine p(x, s, y)
    real(8), intent(in) :: x(3), s(3)
    real(8), intent(out) :: y(3)
    y = x(1)*x
    where (s > 0.3d0)
      y = guarded(s)*x(2)
    end where
    where (s > 0.3d0) y = y + guarded(s)*x
  end subroutine p

  subroutine q(x, s, y)
    real(8), intent(in) :: x(3), s(3)
    real(8), intent(out) :: y(3)
    y = x**2
    where (s > 0.3d0) y = guarded(s)*cshift(x, 1)
    where (s > 0.3d0) y = y*guarded(s)*[real(8) :: x(2), 0.7d0, x(1)*x(3)]
  end subroutine q

  subroutine r(x, s, y)
    real(8), intent(in) :: x(3), s(3)
    real(8), intent(out) :: y(3)
    real(8) :: z(3, 3)
    integer :: order(3)
    z = spread(x**2, 1, 3)
    order = [2, 3, 2]
    y = x**3
    where (fixed > 0.3d0 .and. x < 1d0) y = guarded(fixed)*merge(x, z(2, 3:1:-1), x > 0.3d0)
    where (fixed > 0.3d0) y = y + s*guarded(fixed)*x(order)
  end subroutine r

  subroutine t(x, s, y)
    real(8), intent(in) :: x(3), s(3)
    real(8), intent(out) :: y(3)
    y = x
    where (fixed > 0.3d0)
      y = 2d0*sin(guarded(fixed)*(0.7d0 + abs(0.7d0*x))**(s(3:1:-1) - 1)*0.04d0)
    end where
  end subroutine t
end module masked_constants
