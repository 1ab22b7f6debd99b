! call outer x=0.5
! Constants are passed to dummy arguments whose values the adjoint takes back.
subroutine outer(x)
  implicit none
  real(8), intent(inout) :: x
  real(8), parameter :: c(3) = [1.0d0, 2.0d0, 3.0d0]
  call middle(3, c(2:3), -1.0d0, x, 0)
  call middle(2, [1.0d0, 0.5d0], 0.5d0, x, 0)
end subroutine outer

subroutine middle(k, v, w, x, mode)
  implicit none
  integer :: k, mode
  real(8) :: v(2), w, x
  call inner(k, v, w, x, mode)
  x = x*x*k*v(2)
  call inner(k, v, w, x, mode)
end subroutine middle

subroutine inner(k, v, w, x, mode)
  implicit none
  integer :: k, mode
  real(8) :: v(2), w, x
  if (mode == 1) then
    k = k + 1
    v(2) = x
    w = w*x
  end if
  x = sin(x)*k + v(1)*w*x
end subroutine inner
