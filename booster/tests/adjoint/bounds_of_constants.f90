! call p x=[0.5,1.5,-0.5,0.25,0.75,1.25,0.1,0.2] y=0.5
subroutine p(x, y)
  implicit none
  real(8), intent(inout) :: x(8), y
  integer, parameter :: many = 7
  integer :: i
  do i = 1, 3 + (1 + modulo(4, 3)), 1 + modulo(4, 3)
    y = y*sin(x(i))
  end do
  do i = many + mod(8, 7), 2, -(many - 4)
    y = y + x(i)*y
    x(i) = x(i)*x(i)
  end do
end subroutine p
