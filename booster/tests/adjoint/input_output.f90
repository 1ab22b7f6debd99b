! call prints n=3 x=[1,2,0.5] y=0
! Output is part of the forward sweep; what is read has no adjoint before it is read.
subroutine prints(n, x, y)
  implicit none
  integer, intent(in) :: n
  real(8), intent(in) :: x(n)
  real(8), intent(out) :: y
  real(8) :: w(3)
  character(len=40) :: line
  integer :: i
  w = x(1)*x(2)
  write (line, '(3f8.2)') 1.0d0, 2.0d0, 3.0d0
  y = w(1)*w(2)
  read (line, *) (w(i), i=1, 2)
  y = y*w(1)*w(3)
  write (line, '(f10.3)') y
end subroutine prints
