! activity head=p independent=x dependent=y
subroutine p(x, y)
  implicit none
  real(8), intent(in) :: x(3)
  real(8), intent(out) :: y(3)
  real(8) :: t(3), forcing(3), once
  character(80) :: text, other
  other = '3'
  read (11) forcing
  write (12) x*x
  write (text, *) x(1)
  write (*, *) x
  rewind (12)
  read (12) t
  read (text, *) once
  read (other, *) forcing(1)
  read (*, *) forcing(2)
  y = t*x*forcing + once*x(2)
end subroutine p
