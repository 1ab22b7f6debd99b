! call head x=[0.7,1.1,0.4] y=[0,0,0]
!
! What an ENTRY is given and its adjoint does not need is named behind the ENTRY statement.
subroutine head(x, y)
  implicit none
  real(8), intent(in) :: x(3)
  real(8), intent(out) :: y(3)
  real(8) :: a(2), b(2)
  call set_a(a, x)
  call set_b(b, x)
  y(1) = a(1)*b(1)
  y(2) = a(2)
  y(3) = b(2)
end subroutine head

subroutine set_a(a, x)
  implicit none
  real(8) :: a(2), b(2), x(3)
  a(1) = x(1)**2
  a(2) = x(2)**2
  return
entry set_b(b, x)
  b(1) = x(3)**2
  b(2) = x(2)**2
end subroutine set_a
