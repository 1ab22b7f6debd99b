! call drive n=3 x=[0.7,1.3,0.9] y=0.5
! The object of a call and an actual argument are parts of one object that storage keeps as one piece
! (a recursion through bindings): both are in the snapshot.
module cell_m
  implicit none
  type :: leaf
    real(8) :: s = 1
  contains
    procedure :: grow
  end type
  type :: heavy
    real(8) :: m = 1
  contains
    procedure :: act => act_heavy
  end type
  type, extends(heavy) :: bound
    type(heavy) :: a
    type(leaf) :: own
  contains
    procedure :: act => act_bound
  end type
contains
  subroutine grow(self, f)
    class(leaf), intent(inout) :: self
    real(8), intent(inout) :: f
    self%s = self%s*f
  end subroutine
  recursive subroutine act_heavy(self)
    class(heavy), intent(inout) :: self
    self%m = self%m**2
  end subroutine
  recursive subroutine act_bound(self)
    class(bound), intent(inout) :: self
    call self%heavy%act()
    call self%a%act()
    call self%own%grow(self%a%m)
  end subroutine
  subroutine drive(n, x, y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y
    type(bound) :: e
    e%own%s = x(1)
    e%a%m = x(2)
    e%m = x(3)
    call e%act()
    call e%act()
    y = e%m + e%own%s
  end subroutine
end module
