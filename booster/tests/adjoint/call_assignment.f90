! call top x=0.5 y=0
module vecs
  implicit none
  type vec
    real(8) :: a, b
  end type vec
  interface assignment(=)
    module procedure spread_to
  end interface
  interface operator(*)
    module procedure times
  end interface
contains
  subroutine spread_to(v, s)
    type(vec), intent(out) :: v
    real(8), intent(in) :: s
    v%a = s
    v%b = s*s
  end subroutine spread_to
  function times(s, v) result(r)
    real(8), intent(in) :: s
    type(vec), intent(in) :: v
    type(vec) :: r
    r%a = s*v%a
    r%b = v%b*v%a
  end function times
end module vecs

subroutine top(x, y)
  use vecs
  implicit none
  real(8), intent(inout) :: x
  real(8), intent(out) :: y
  type(vec) :: v, w
  v = x
  w = x*v
  v = w%a*w%b
  y = v%a*v%b*x
end subroutine top
