subroutine complexes_d(n, z, zd, w, wd, f, f_d, complexes, complexesd)
  implicit none
  integer, intent(in) :: n
  complex(8), intent(in) :: z(n, 2), zd(n, 2)
  real(8), intent(in) :: w(*), wd(*)
  real(8), external :: f
  external :: f_d
  complex(8), intent(out) :: complexes, complexesd
  real(8) :: v, vd
  integer :: i

  complexes = 0
  complexesd = 0
  do i = 1, n
    call f_d(w(i), wd(i), v, vd)
    complexesd = complexesd + zd(i, 1)*conjg(z(i, 2))*v + z(i, 1)*conjg(zd(i, 2))*v &
        + z(i, 1)*conjg(z(i, 2))*vd
    complexes = complexes + z(i, 1)*conjg(z(i, 2))*f(w(i))
  end do
end subroutine complexes_d

subroutine weight_d(x, xd, weight, weightd)
  implicit none
  real(8), intent(in) :: x, xd
  real(8), intent(out) :: weight, weightd

  weightd = xd/x
  weight = log(x)
end subroutine weight_d
