subroutine p(x)
  use watch
  implicit none
  real, intent(inout) :: x
  block
    real :: y
    y = 2.0*x
    x = y
  end block
end subroutine p
