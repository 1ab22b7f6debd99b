! call head x=[0.7,1.1,0.4] y=[0,0,0]
!
! `module procedure act` is elemental because its interface says so.
module activations
  implicit none
  interface
    module subroutine drive(v)
      real(8), intent(inout) :: v(:)
    end subroutine drive
    elemental module function act(x, w) result(a)
      real(8), intent(in) :: x, w
      real(8) :: a
    end function act
  end interface
end module activations

submodule (activations) implementation
  implicit none
contains
  module procedure drive
    v = act(v(size(v):1:-1), v)
  end procedure drive
  module procedure act
    a = tanh(x)*w
  end procedure act
end submodule implementation

subroutine head(x, y)
  use activations
  implicit none
  real(8), intent(in) :: x(3)
  real(8), intent(out) :: y(3)
  real(8) :: v(3)
  v = act(x, x(3:1:-1))
  call drive(v)
  y = v*v(2)
end subroutine head
