! activity head=p independent=x dependent=y
! why c@24 t@37 r@41
! call p x=[0.5,1.5] y=[0,0]
! call repeated n=3 x=0.25 y=0
! What a condition, a loop, output, a subscript or the adjoint of the statement itself reads is computed.
module counted
  implicit none
  integer :: calls = 0
  real(8) :: last = 0
contains
  subroutine note(v)
    real(8), intent(in) :: v
    calls = calls + 1
    last = v
  end subroutine note
end module counted

subroutine p(x, y)
  use counted
  implicit none
  real(8), intent(in) :: x(2)
  real(8), intent(inout) :: y(2)
  real(8) :: c, t(2), q, r
  c = x(1)
  do while (c < 4)
    c = 2*c
    call note(c)
  end do
  y(1) = y(1) + x(1)**2
  if (c > 5) y(1) = y(1)*x(2)
  t = x
  t(2) = t(1)*x(2)
  t(1) = exp(t(2))
  q = x(2)
  q = exp(q)
  y(2) = t(2)*q
  t = 0
  q = 1
  r = half(x(1))
  y(2) = y(2) + r*x(2)
  r = half(y(1))
  y(1) = y(1) + r
contains
  real(8) function half(v)
    real(8), intent(in) :: v
    half = v*v/2
  end function half
end subroutine p

recursive subroutine repeated(n, x, y)
  implicit none
  integer, intent(in) :: n
  real(8), intent(in) :: x
  real(8), intent(inout) :: y
  real(8) :: z
  z = x*x
  if (n > 1) call repeated(n - 1, z, y)
  y = y + sin(z)
end subroutine repeated
