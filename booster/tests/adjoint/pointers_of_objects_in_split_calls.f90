! call top n=3 x=[0.5,1.5,2] y=0.3
! Procedures among which a call chooses as the program runs have the same arguments.
module shapes
  implicit none
  type :: plain
    real(8), pointer :: v(:) => null()
  contains
    procedure :: make => make_plain
    procedure :: total => total_of
  end type plain
  type, extends(plain) :: double
    real(8) :: factor = 2.0d0
  contains
    procedure :: make => make_double
  end type double
contains
  subroutine make_plain(this, x)
    class(plain), intent(inout) :: this
    real(8), intent(in) :: x(:)
    allocate(this%v(size(x)))
    this%v = x*x
  end subroutine make_plain
  subroutine make_double(this, x)
    class(double), intent(inout) :: this
    real(8), intent(in) :: x(:)
    this%factor = x(1)
    call this%plain%make(x*this%factor)
  end subroutine make_double
  subroutine total_of(this, y)
    class(plain), intent(in) :: this
    real(8), intent(inout) :: y
    y = y + sum(this%v)*y
  end subroutine total_of
  subroutine work(o, x, y)
    class(plain), intent(inout) :: o
    real(8), intent(inout) :: x(:), y
    call o%make(x)
    call o%total(y)
    x = x*o%v(2)
  end subroutine work
  subroutine top(n, x, y)
    integer, intent(in) :: n
    real(8), intent(inout) :: x(n), y
    type(plain) :: a
    type(double) :: b
    call work(a, x, y)
    call work(b, x, y)
    y = y*b%factor
  end subroutine top
end module shapes
