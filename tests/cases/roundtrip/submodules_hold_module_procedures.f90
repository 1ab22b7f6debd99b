module api
  implicit none
  real, parameter :: scale = 3.0
  interface
    module subroutine fill(x)
      real, intent(out) :: x(:)
    end subroutine fill
    pure module function total(x) result(s)
      real, intent(in) :: x(:)
      real :: s
    end function total
  end interface
end module api

submodule (api) implementation
  implicit none
  real :: offset = 0.5
contains
  module subroutine fill(x)
    real, intent(out) :: x(:)
    integer :: i
    x = [(scale*real(i) + offset, i=1, size(x))]
    call finish(x)
  end subroutine fill
  module procedure total
    s = sum(x)
  end procedure total
  subroutine finish(x)
    real, intent(inout) :: x(:)
    x(size(x)) = extra()
  end subroutine finish
  real function extra()
    extra = 100.0
  end function extra
end submodule implementation

submodule (api:implementation) child
end submodule child

program use_api
  use api
  implicit none
  real :: v(4)
  call fill(v)
  print *, v, total(v)
end program use_api
