! USE gives one variable several names and two variables each other's.
module m1
  real(8) :: a, b
  real(8) :: s
  public :: s

contains

  subroutine set(v)
    real(8), intent(in) :: v

    s = v*v
    a = s
  end subroutine set

  subroutine get(v)
    real(8), intent(out) :: v

    v = s*a
    s = s*b
  end subroutine get
end module m1

module m2
  use m1, only: b => a, a => b
  real(8) :: s
  public :: s

contains

  subroutine set2(v)
    real(8), intent(in) :: v

    s = v*b
    a = a*s
    b = b*sin(a)
  end subroutine set2

  subroutine get2(v)
    real(8), intent(out) :: v

    v = s*a*b
  end subroutine get2
end module m2

module m
  use m1, c => a
  use m2, only: set2, get2, d => b, e => a

contains

  subroutine p(x, y)
    real(8), intent(in) :: x(3)
    real(8), intent(out) :: y
    real(8) :: t, u

    c = x(1)
    b = x(2)
    call set(x(3))
    c = c*c
    b = b*c
    call set2(x(3))
    call get(t)
    call get2(u)
    y = t*u*c*b
    y = y*c*b
  end subroutine p
end module m
