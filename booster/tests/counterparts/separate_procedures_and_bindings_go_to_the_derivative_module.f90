module m
  implicit none
  interface
    pure module subroutine sp(n, x, y)
      integer, intent(in) :: n
      real, intent(in) :: x(n)
      real, intent(out) :: y
    end subroutine sp
    module function sf(x) result(r)
      real, intent(in) :: x
      real :: r
    end function sf
    module function sg(x) result(r)
      real, intent(in) :: x
      real :: r(2)
    end function sg
  end interface
  type t
    real :: a = 1.0
  contains
    procedure :: go => go_t
    procedure :: stay => go_t
  end type t
  type, extends(t) :: u
  contains
    procedure :: go => go_u
  end type u
contains
  subroutine go_t(self, x)
    class(t), intent(inout) :: self
    real, intent(in) :: x
    self%a = x
  end subroutine go_t
  subroutine go_u(self, x)
    class(u), intent(inout) :: self
    real, intent(in) :: x
    self%a = 2*x
  end subroutine go_u
end module m
submodule (m) s
  implicit none
  real, parameter :: two = 2.0
contains
  module procedure sp
    real :: w
    w = two*x(n)
    y = w
  end procedure sp
  module procedure sg
    r = x*sf(x)
  end procedure sg
  module function sf(x) result(r)
    real, intent(in) :: x
    real :: r
    r = twice(x)
  end function sf
  real function twice(x)
    real, intent(in) :: x
    twice = 2*x
  end function twice
end submodule s
subroutine top(v, x, y)
  use m, only: t, sp
  implicit none
  class(t), intent(inout) :: v
  real, intent(in) :: x(3)
  real, intent(out) :: y
  call v%stay(x(1))
  call sp(3, x, y)
end subroutine top
