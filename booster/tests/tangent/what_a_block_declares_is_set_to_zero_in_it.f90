! call p x=[1,2]
! along x=[1,-1]
subroutine change(a, b)
  implicit none
  real(8), intent(inout) :: a, b
  a = a*b
  b = 3*b
end subroutine change
subroutine p(x, y)
  implicit none
  real(8), intent(inout) :: x(2)
  real(8), intent(out) :: y
  y = 0
  block
    real(8) :: b(2), c
    if (x(1) < 5) c = x(1)
    b(1) = 2
    call change(b(1), x(2))
    y = b(1)*x(2) + c*x(2)
  end block
end subroutine p
