! What each round adds to the variable would have to be added to its derivative.
subroutine p(x, y)
  implicit none
  real(8), intent(in) :: x
  real(8), intent(out) :: y
  real(8) :: t
  y = 0
  do t = 0.1d0, 1.0d0, x
    y = y + t*t
  end do
end subroutine p
