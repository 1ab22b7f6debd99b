! call s x=0.5 n=3 m=2
subroutine s(x, n, m)
  integer, intent(in) :: n, m
  real(8) :: x
  integer :: i
  do i = 1, n, m
    x = sin(x)
  end do
  if (m > 1) x = x*x
end subroutine
