! call top n=3 x=[0.5,0.8,1.1] r=0.2
! A run in what is called, with outputs in a module; one in a function; one of single precision.
module state
  implicit none
  real(8) :: kept = 0.3d0
contains
  subroutine step(x, y)
    real(8), intent(in) :: x
    real(8), intent(inout) :: y
    real(8) :: t, c_y_x, c_y_y, c_kept_x, c_kept_y
    t = x*y !> value
    kept = kept + sin(t) !> value
    c_kept_x = y*cos(t) !> entry
    c_kept_y = x*cos(t) !> entry
    c_y_x = y*exp(t) !> entry
    c_y_y = x*exp(t) !> entry
    y = exp(t) !> value
    kept = kept + c_kept_x*x + c_kept_y*y !> step
    y = c_y_x*x + c_y_y*y !> step
  end subroutine
  function half(x) result(h)
    real(8), intent(in) :: x
    real(8) :: h, t, c
    t = 0.5d0*x !> value
    h = t*t !> value
    c = t !> again
    h = c*x !> step
  end function
  subroutine single(x, z)
    real(8), intent(in) :: x
    real(4), intent(inout) :: z
    real(8) :: t, c
    t = x*x !> value
    z = real(t*x, 4) !> value
    c = 3.0d0*t !> entry
    z = c*x !> step
  end subroutine
end module

subroutine top(n, x, r)
  use state
  implicit none
  integer, intent(in) :: n
  real(8), intent(inout) :: x(n), r
  real(4) :: z
  integer :: i
  z = 0.0
  do i = 1, n
    call step(x(i), r)
    x(i) = half(x(i))*kept
  end do
  call single(r, z)
  r = r*kept + z
end subroutine
