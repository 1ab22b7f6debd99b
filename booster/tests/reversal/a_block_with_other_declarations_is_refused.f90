subroutine p(n, x)
  use watch
  implicit none
  integer, intent(in) :: n
  real, intent(inout) :: x
  block
    use watch, only: seen => visited
    real :: y(n)
    y(1) = 2.0*x
    x = y(1)
  end block
end subroutine p
