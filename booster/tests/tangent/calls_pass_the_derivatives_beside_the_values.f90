! call p x=[0.5,1.5,2.5]
! along x=[1,-1,0.5]
module calls
  implicit none
  real(8) :: scale = 2
contains
  subroutine p(x, y)
    real(8), intent(in) :: x(3)
    real(8), intent(out) :: y(4)
    real(8) :: t
    call first(x(2), y(1:2))
    call second(y(1), b=x(3), c=t)
    call second(2d0, c=y(3))
    scale = scale*x(1)
    y(4) = t*scale
    call third(3, x, y(2))
  end subroutine p
  subroutine first(a, b)
    real(8), intent(in) :: a
    real(8), intent(out) :: b(:)
    b = a*scale
  end subroutine first
  subroutine second(a, b, c)
    real(8), intent(in) :: a
    real(8), intent(in), optional :: b
    real(8), intent(out) :: c
    c = a
    if (present(b)) c = c*b
  end subroutine second
  subroutine third(n, a, b)
    integer, intent(in) :: n
    real(8), intent(in) :: a(n)
    real(8), intent(inout) :: b
    b = b + sum(a)
  end subroutine third
end module calls
