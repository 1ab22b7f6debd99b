! call p x=[0.5,1.5]
! along x=[1,-1]
subroutine p(x, y)
  implicit none
  real(8), intent(inout) :: x(2)
  real(8), intent(out) :: y
  character(8) :: text
  integer :: i
  text = '2.5  3.5'
  write (*, *) x
  read (text, *) (x(i), i = 1, 1)
  y = x(1)*x(2)
end subroutine p
