! Programs whose derivatives hold in intervals: those of Araya Polo's thesis, and others.
module models
  implicit none
contains
  ! Formula 3.1: the branches meet where x1 and x2 are equal.
  subroutine f(x1, x2, y)
    real, intent(in) :: x1, x2
    real, intent(out) :: y
    real :: i3, i5

    i3 = x1*x1 + x2*x2
    if (x2 < x1) then
      i5 = 1 - x2
    else
      i5 = 1 - x1
      i5 = -i5
    end if
    y = sin(i3)*i5/i3
  end subroutine f

  ! Appendix A.1.
  subroutine sub1(x, y, o1)
    real, intent(inout) :: x
    real, intent(in) :: y
    real, intent(out) :: o1

    x = y*x
    o1 = x*x + y*y
    if (o1 > 190) then
      o1 = -o1*o1/2
    else
      o1 = o1*o1*20
    end if
  end subroutine sub1

  ! Table 3.9.
  subroutine piecewise(x, y)
    real, intent(in) :: x
    real, intent(out) :: y

    if (x > 1) then
      y = x**3 + x**2 - 3*x - 3
    else
      y = x**3 + 2*x**2 - 15*x + 8
    end if
  end subroutine piecewise

  ! Each intrinsic with a kink or jump.
  subroutine kinks(which, x, y)
    integer, intent(in) :: which
    real(8), intent(in) :: x(4)
    real(8), intent(out) :: y
    integer :: k

    y = sum(x)
    select case (which)
    case (1)
      y = y + abs(x(1))
    case (2)
      y = y*max(x(1), 2*x(2), x(3))
    case (3)
      y = y + sign(x(2), x(1))
    case (4)
      y = y + dim(x(1), x(2))
    case (5)
      k = int(10*x(1))
      y = y*k
    case (6)
      y = y*nint(10*x(1))
    case (7)
      y = y + mod(x(1), x(2))
    case (8)
      y = y + maxval(x)
    case (9)
      y = y + sqrt(x(4))
    case (10)
      y = y + sum(merge(x, x**2, x > 0.25d0))
    case (11)
      k = count(x > 0.15d0 .and. x < 0.35d0)
      y = y*k
    case (12)
      do while (y < 3)
        y = 2*y
      end do
    case (13)
      if (limited(x(1)) .or. .not. x(2) < 0.75d0) y = y*y
    end select
  end subroutine kinks

  pure logical function limited(v)
    real(8), intent(in) :: v
    limited = v > 0.5d0
  end function limited
end module models
