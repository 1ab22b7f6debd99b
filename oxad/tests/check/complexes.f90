! A function that is external, with complex and assumed-size arguments, and one that is passed.
complex(8) function complexes(n, z, w, f)
  implicit none
  integer, intent(in) :: n
  complex(8), intent(in) :: z(n, 2)
  real(8), intent(in) :: w(*)
  real(8), external :: f
  integer :: i

  complexes = 0
  do i = 1, n
    complexes = complexes + z(i, 1)*conjg(z(i, 2))*f(w(i))
  end do
end function complexes

real(8) function weight(x)
  implicit none
  real(8), intent(in) :: x

  weight = log(x)
end function weight
