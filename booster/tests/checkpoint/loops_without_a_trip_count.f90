! The condition of DO WHILE becomes part of the body; a DO without control is left by a logical variable.
program main
  implicit none
  real(8) :: x, r
  integer :: k
  x = 5
  k = 0
  !$oxad binomial(2)
  do while (residual(x) > 1d-3 .and. k < 20)
    k = k + 1
    if (k == 2) cycle
    x = x - 0.4d0*(x*x - 2)/(2*x)
  end do
  print '(i3, f12.6)', k, x
  !$AD BINOMIAL-CKP 100 4 1
  do
    select case (k)
    case (:9)
      k = k + 5
    case default
      k = k - 3
      if (k < 8) exit
    end select
    r = x*k
    if (r > 1000) stop
    x = x + r*0.01d0
  end do
  print '(i3, f12.6)', k, x
contains
  real(8) function residual(x)
    real(8), intent(in) :: x
    residual = abs(x*x - 2)
  end function residual
end program main
