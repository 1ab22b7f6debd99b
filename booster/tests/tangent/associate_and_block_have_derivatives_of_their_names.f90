! call p x=[0.5,1.5,2.0]
! along x=[1,-1,0.5]
subroutine p(x, y)
  implicit none
  real(8), intent(in) :: x(3)
  real(8), intent(out) :: y(3)
  integer :: i
  associate (a => x(2), s => x(1)*x(3))
    y(1) = a*s
    block
      real(8) :: t
      t = a + s
      y(2) = t*t
    end block
  end associate
  y(3) = 0
  do concurrent (i = 1:3)
    y(i) = y(i) + x(i)**2
  end do
end subroutine p
