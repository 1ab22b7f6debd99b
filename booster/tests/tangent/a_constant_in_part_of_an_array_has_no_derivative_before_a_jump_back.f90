! call p x=[1.0,2.0,3.0]
! along x=[1.0,1.0,1.0]
subroutine clear(x)
  implicit none
  real(8), intent(inout) :: x(*)
  integer :: i, n
  do i = 1, 2
    x(i) = 0.5d0
  end do
  n = 0
10 n = n + 1
  if (n < 3) goto 10
end subroutine clear

subroutine p(x)
  implicit none
  real(8), intent(inout) :: x(3)
  x = 2*x
  call clear(x)
end subroutine p
