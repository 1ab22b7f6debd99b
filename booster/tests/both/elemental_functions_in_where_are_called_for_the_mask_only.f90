! call p x=[0.5,0.6,0.7,1.2,1.3,1.45] y=[0,0,0,0]
! call p x=[1,2,3,3,2.5,1.8] y=[1,2,3,4]
! Limiters divide by zero where the mask is false; values that another element reads are an array between.
module masked_calls
  implicit none
  real(8), parameter :: table(3) = [2.0d0, 3.0d0, 5.0d0]
contains
  elemental function limited(a, b) result(s)
    real(8), intent(in) :: a, b
    real(8) :: s
    s = 2*a*b/(a + b)
  end function limited
  impure elemental function root(a) result(s)
    real(8), intent(in) :: a
    real(8) :: s
    s = sqrt(a)
  end function root
  elemental function looked_up(a) result(s)
    real(8), intent(in) :: a
    real(8) :: s
    s = a*table(int(a) + 1)
  end function looked_up
  subroutine p(x, y)
    real(8), intent(in) :: x(6)
    real(8), intent(inout) :: y(4)
    real(8) :: dl(4), dr(4), s(4), c(2, 2), t(0:3)
    real(8), allocatable :: w(:)
    dl = x(2:5) - x(1:4)
    dr = x(3:6) - x(2:5)
    where (dl*dr > 0)
      s = limited(dl, dr)
    elsewhere
      s = 0
    end where
    w = x
    where (w(2:6) > 1)
      w(2:6) = root(w(1:5) - 0.3d0)/sum(w)
    elsewhere (root(abs(w(2:6))) > 0.9d0)
      w(2:6) = limited(w(2:6), [1d0, 2d0, 3d0, 4d0, x(1)])
    end where
    c = reshape(dl, [2, 2])
    where (c > 0)
      where (c < 0.5d0) c = root(c)
    end where
    t = 1000*x(:4)
    where (t < 1000) t = looked_up(t/400)
    where (t < 5) t = looked_up(t(3:0:-1)/600)
    y(1) = y(1) + sum(s*x(1:4))
    y(2) = y(2)*sum(w)
    y(3) = w(2) + sum(t)
    y(4) = w(6) + sum(c*c*c)
  end subroutine p
end module masked_calls
