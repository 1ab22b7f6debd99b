! call swap x=0.3 y=1.1
! call elements n=4 i=2 j=2 a=[0.3,1.2,0.7,0.9]
! call elements n=4 i=2 j=3 a=[0.3,1.2,0.7,0.9]
! call shift n=5 a=[0.3,1.2,0.7,0.9,0.2]
! call constant x=0.7 y=0.4
! Derivatives that are read and overwritten by the same propagator.
subroutine swap(x, y)
  implicit none
  real(8), intent(inout) :: x, y
  real(8) :: t, old, c_x_y, c_y_x, c_y_y
  t = x !> value
  c_x_y = 2.0d0*y !> entry
  x = y*y !> value
  c_y_x = y !> entry
  c_y_y = t !> entry
  y = t*y !> value
  old = x !> step
  x = c_x_y*y !> step
  y = c_y_x*old + c_y_y*y !> step
end subroutine

subroutine elements(n, i, j, a)
  implicit none
  integer, intent(in) :: n, i, j
  real(8), intent(inout) :: a(n)
  real(8) :: t, c
  t = a(j)*a(j) !> value
  c = 3.0d0*t !> entry
  a(i) = t*a(j) !> value
  a(i) = c*a(j) !> step
  a(1) = a(i)*a(j)
end subroutine

subroutine shift(n, a)
  implicit none
  integer, intent(in) :: n
  real(8), intent(inout) :: a(n)
  real(8) :: t, c
  integer :: i
  do i = 2, n
    c = 3.0d0*a(i - 1)**2 !> entry
    t = a(i - 1)**2 !> value
    a(i) = a(i) + t*a(i - 1) !> value
    a(i) = a(i) + c*a(i - 1) !> step
  end do
end subroutine

subroutine constant(x, y)
  implicit none
  real(8), intent(inout) :: x, y
  real(8) :: t
  t = x - x !> value
  x = 2.0d0 + t !> value
  x = 0.0d0 !> step
  y = y*x
end subroutine
