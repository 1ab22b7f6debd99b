subroutine p(n, x, y)
  implicit none
  integer, intent(in) :: n
  real(8), intent(in) :: x(n)
  double precision, intent(out) :: y
  ! the comment stays where it is
  real(8) :: w(2), s
  real(8), save :: last = 1.0
  real(8), external :: g
  integer :: i
  w = x(1)
  s = 0
  do i = 1, n
    s = s + w(1)*x(i)*last
  end do
  y = s + g(s)
  last = s
end subroutine p

recursive double precision function g(z) result(r)
  double precision z
  if (z > 3) then
    r = g(z - 1)
  else
    r = z
  end if
end function g
