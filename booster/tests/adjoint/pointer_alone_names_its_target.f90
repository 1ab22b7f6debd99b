! call p x=[1,2,0.5,1] y=[1,2,3]
! Nothing but a pointer reaches the target: its adjoint begins with zero all the same.
subroutine p(x, y)
  implicit none
  real(8), intent(inout) :: x(4)
  real(8), intent(inout) :: y(3)
  real(8), target :: all(4, 3)
  real(8), target :: one
  real(8), pointer :: part(:), number
  part => all(2:4, 1)
  number => one
  part = y*x(1)
  number = sin(x(2))
  y(1) = y(1)*number + part(2)
end subroutine p
