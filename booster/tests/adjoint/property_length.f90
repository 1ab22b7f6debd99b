! call p x=[0.7,1.3,0.4] y=[0,0]
! The length of a text grows from round to round, and conditions and values ask for it.
subroutine p(x, y)
  implicit none
  real(8), intent(in) :: x(3)
  real(8), intent(out) :: y(2)
  character(:), allocatable :: t
  real(8) :: u
  integer :: i
  u = x(1)
  t = 'a'
  do i = 1, 3
    if (len(t) == 2) u = exp(u)*x(2)
    u = u*u + len(t)
    t = t//'b'
  end do
  y = u
end subroutine
