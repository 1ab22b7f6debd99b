subroutine p(x)
  use watch
  implicit none
  class(*), intent(inout) :: x
  select type (x)
  type is (real)
    x = 2.0*x
  end select
end subroutine p
