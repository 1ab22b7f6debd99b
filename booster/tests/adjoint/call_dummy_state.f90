! call top x=0.5 y=0
! What is called through a dummy procedure changes a module variable.
module held
  implicit none
  real(8) :: g = 1.0d0
contains
  subroutine grows(a)
    real(8), intent(inout) :: a
    a = a*g
    g = g*a
  end subroutine grows
  subroutine apply(s, a)
    interface
      subroutine s(a)
        real(8), intent(inout) :: a
      end subroutine s
    end interface
    real(8), intent(inout) :: a
    call s(a)
    a = a*g
  end subroutine apply
end module held
subroutine top(x, y)
  use held
  implicit none
  real(8), intent(inout) :: x
  real(8), intent(out) :: y
  y = x
  g = x*x
  call apply(grows, y)
  y = y*g
end subroutine top
