! call twice_set x=0.5 y=0
! The first of two defined assignments is passive, as the second overwrites all of it: the forward sweep executes the
! procedure itself, which records nothing.
module vectors_set_twice
  implicit none
  type :: vector
    real(8) :: a, b
  end type vector
  interface assignment(=)
    module procedure :: spread_over
  end interface assignment(=)
contains
  subroutine spread_over(v, s)
    type(vector), intent(out) :: v
    real(8), intent(in) :: s
    v%a = s*s
    v%b = sin(s)
  end subroutine spread_over
end module vectors_set_twice

subroutine twice_set(x, y)
  use vectors_set_twice
  implicit none
  real(8), intent(inout) :: x
  real(8), intent(out) :: y
  type(vector) :: v
  v = x
  v = x
  x = v%a*x
  v = v%a*v%b*x
  y = v%a*v%b
end subroutine twice_set
