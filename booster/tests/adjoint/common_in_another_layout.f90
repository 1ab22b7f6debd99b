! call p x=[1,2,3,4] y=0.5
! A callee declares the block as one array: of the caller's variables all may be overwritten, also
! where no derivative passes through the call.
subroutine p(x, y)
  implicit none
  real(8), intent(inout) :: x(4), y
  real(8) :: a, b(4), c(3, 4), s
  common /blk/ a, b, c
  a = 2d0
  b = 1.2d0
  c = 0.1d0
  s = b(2)*y + c(2, 3)*x(2)*a
  call lay
  x(1) = s*b(3)
  call inner
contains
  subroutine inner
    x(3) = x(1)*b(4)*c(1, 1)
    call lay
    x(4) = x(3)*b(1)
  end subroutine inner
end subroutine p

subroutine lay
  implicit none
  real(8) :: q(17)
  common /blk/ q
  q = 3d0
  q(3) = 2d0
end subroutine lay
