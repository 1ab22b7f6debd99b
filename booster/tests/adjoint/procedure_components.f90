! call head x=0.7 y=0 k=1
! call head x=0.7 y=0 k=0
module m
  implicit none
  abstract interface
    function fi(x) result(r)
      real(8), intent(in) :: x
      real(8) :: r
    end function
  end interface
  type t
    real(8) :: w
    procedure(fi), pointer, nopass :: f => null()
    procedure(si), pointer :: s => null()
  end type
  abstract interface
    subroutine si(this, x)
      import t
      class(t), intent(in) :: this
      real(8), intent(inout) :: x
    end subroutine
  end interface
contains
  function f1(x) result(r)
    real(8), intent(in) :: x
    real(8) :: r
    r = sin(x)
  end function
  function f2(x) result(r)
    real(8), intent(in) :: x
    real(8) :: r
    r = x**2
  end function
  subroutine scaled(this, x)
    class(t), intent(in) :: this
    real(8), intent(inout) :: x
    x = x*this%w*x
  end subroutine
  subroutine run(o, x, y)
    type(t), intent(inout) :: o
    real(8), intent(in) :: x
    real(8), intent(out) :: y
    real(8) :: z
    z = x
    call o%s(z)
    y = o%f(z) + o%f(x)
  end subroutine
end module
subroutine head(x, y, k)
  use m
  real(8), intent(in) :: x
  real(8), intent(out) :: y
  integer, intent(in) :: k
  type(t) :: o
  o%w = 3
  if (k > 0) then
    o%f => f1
  else
    o%f => f2
  end if
  o%s => scaled
  call run(o, x, y)
end subroutine
