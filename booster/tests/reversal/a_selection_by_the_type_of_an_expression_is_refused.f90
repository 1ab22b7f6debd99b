module kinds
  implicit none
contains
  function made(x) result(r)
    real, intent(in) :: x
    class(*), allocatable :: r
    allocate (r, source=x)
  end function made
end module kinds
subroutine p(x)
  use watch
  use kinds
  implicit none
  real, intent(inout) :: x
  select type (y => made(x))
  type is (real)
    x = 2.0*y
  end select
end subroutine p
