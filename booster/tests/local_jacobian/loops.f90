! call entries n=4 a=[0.3,1.2,0.7,0.9] s=0.4
! call operands n=4 a=[0.3,1.2,0.7,0.9] s=0.4
! call while x=0.4 y=0.9
! What a round overwrites is recorded: an entry, or what accumulates it.
subroutine entries(n, a, s)
  implicit none
  integer, intent(in) :: n
  real(8), intent(inout) :: a(n), s
  real(8) :: u, w, c_s_a, c_s_s
  integer :: i
  do i = 1, n
    u = sin(a(i)*s) !> value
    w = u*u !> value
    c_s_a = 2.0d0*u*cos(a(i)*s) !> entry
    c_s_s = 1.0d0 + c_s_a*a(i) !> entry
    c_s_a = c_s_a*s !> entry
    s = s + w !> value
    s = c_s_s*s + c_s_a*a(i) !> step
  end do
  u = s*s
  s = u*a(n)
end subroutine

subroutine operands(n, a, s)
  implicit none
  integer, intent(in) :: n
  real(8), intent(inout) :: a(n), s
  real(8) :: u, w, v, c_s_a, c_s_s
  integer :: i
  do i = 1, n
    v = a(i)*s !> value
    u = sin(v) !> value
    w = u*u !> value
    s = s + w !> value
    c_s_a = 2.0d0*u*cos(v) !> again
    c_s_s = 1.0d0 + c_s_a*a(i) !> again
    c_s_a = c_s_a*v/a(i) !> again
    s = c_s_s*s + c_s_a*a(i) !> step
    a(i) = s*a(i)
  end do
end subroutine

subroutine while(x, y)
  implicit none
  real(8), intent(inout) :: x, y
  real(8) :: t, c_x_x, c_x_y
  do while (x < 3.0d0)
    t = x*y !> value
    c_x_x = 1.0d0 + 2.0d0*t*y !> entry
    c_x_y = 2.0d0*t*x !> entry
    x = x + t*t !> value
    x = c_x_x*x + c_x_y*y !> step
    if (x > 1.0d0) then
      t = y*x !> value
      x = t*x !> value
      c_x_y = x/y !> again
      c_x_x = 2.0d0*t !> again
      x = c_x_x*x + c_x_y*y !> step
    end if
  end do
end subroutine
