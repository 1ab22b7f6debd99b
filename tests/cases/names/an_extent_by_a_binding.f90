! The extent of a function's result is asked of an object.
module m
  type t
    integer :: n
    real(8) :: v
  contains
    procedure :: len => tlen
    procedure :: get
    generic :: gl => len
  end type
contains
  pure integer function tlen(o, k)
    class(t), intent(in) :: o
    integer, intent(in) :: k
    tlen = o%n + k
  end function
  function get(o, m) result(r)
    class(t), intent(in) :: o
    integer, intent(in) :: m
    real(8) :: r(o%len(k=m))
    r = o%v
    r(2) = o%v**2
    r = r*sin(r)
  end function
  function get2(o, m) result(r)
    type(t), intent(in) :: o
    integer, intent(in) :: m
    real(8) :: r(o%gl(m)+m)
    r = o%v
    r(2) = o%v**2
    r = r*sin(r)
  end function
  subroutine p(x, y)
    real(8), intent(in) :: x(3)
    real(8), intent(out) :: y
    type(t) :: m, o
    m = t(2, x(1)); o = t(3, x(2))
    y = sum(m%get(1)*o%get(0))*x(3)
    y = y*sum(get2(o=m, m=1)*get2(m=1, o=m))
  end subroutine
end module
