subroutine p(x)
  use watch
  implicit none
  class(*), allocatable, intent(inout) :: x
  real :: r
  select type (y => x)
  type is (real)
    y = 2.0*y
    r = y
    deallocate (x)
    r = 2.0*r
  end select
end subroutine p
