subroutine p(n, x)
  use watch
  implicit none
  integer, intent(in) :: n
  real, intent(inout) :: x
  block
    real, allocatable :: y(:)
    allocate (y(n))
    y(1) = 2.0*x
    x = y(1)
  end block
end subroutine p
