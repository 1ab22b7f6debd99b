! call top x=0.5 y=0
! Dummy procedures.
module targets
  implicit none
  abstract interface
    subroutine step(a, b)
      real(8), intent(inout) :: a
      real(8), intent(in) :: b
    end subroutine step
  end interface
contains
  subroutine one(a, b)
    real(8), intent(inout) :: a
    real(8), intent(in) :: b
    a = a*b
  end subroutine one
  subroutine two(a, b)
    real(8), intent(inout) :: a
    real(8), intent(in) :: b
    a = a*a*sin(b)
  end subroutine two
  subroutine apply(s, a, b)
    procedure(step) :: s
    real(8), intent(inout) :: a
    real(8), intent(in) :: b
    a = a*b
    call s(a, b)
  end subroutine apply
end module targets

subroutine top(x, y)
  use targets
  implicit none
  real(8), intent(inout) :: x
  real(8), intent(out) :: y
  y = x
  call apply(one, y, x)
  call apply(two, x, y)
  call apply(one, x, y)
  y = y*x
end subroutine top
