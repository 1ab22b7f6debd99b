subroutine complexes_b(n, z, zb, w, wb, f, f_b, complexes, complexesb)
  implicit none
  integer, intent(in) :: n
  complex(8), intent(in) :: z(n, 2)
  complex(8), intent(inout) :: zb(n, 2)
  real(8), intent(in) :: w(*)
  real(8), intent(inout) :: wb(*)
  real(8), external :: f
  external :: f_b
  complex(8), intent(in) :: complexes
  complex(8), intent(inout) :: complexesb
  real(8) :: y, yb
  integer :: i

  do i = n, 1, -1
    y = f(w(i))
    zb(i, 1) = zb(i, 1) + z(i, 2)*y*complexesb
    zb(i, 2) = zb(i, 2) + conjg(conjg(z(i, 1))*complexesb)*y
    yb = real(conjg(z(i, 1)*conjg(z(i, 2)))*complexesb)
    call f_b(w(i), wb(i), y, yb)
  end do
  complexesb = 0
end subroutine complexes_b

subroutine weight_b(x, xb, weight, weightb)
  implicit none
  real(8), intent(in) :: x
  real(8), intent(inout) :: xb, weightb
  real(8), intent(in) :: weight

  xb = xb + weightb/x
  weightb = 0
end subroutine weight_b
