! call head x=[0.7,1.3] y=[0.5,0.2]
! Interface bodies in modules: of external procedures whose source is there, PRIVATE or not, and, though they
! are not ABSTRACT, of dummy procedures, pointers and bindings alone.
module described
  implicit none
  interface
    subroutine half(x, r)
      real(8), intent(in) :: x
      real(8), intent(out) :: r
    end subroutine
    real(8) function twice(x)
      real(8), intent(in) :: x
    end function
  end interface
end module described

module by_description
  implicit none
  private
  public :: march, base, apply
  interface
    subroutine forces(x, f)
      real(8), intent(in) :: x(:)
      real(8), intent(out) :: f(:)
    end subroutine
  end interface
  type, abstract :: base
    real(8) :: c = 1d0
  contains
    procedure(own_i), deferred :: act
  end type
  interface
    subroutine own_i(me, v)
      import :: base
      class(base), intent(inout) :: me
      real(8), intent(inout) :: v(:)
    end subroutine
  end interface
contains
  subroutine march(law, x, v)
    procedure(forces) :: law
    real(8), intent(inout) :: x(:), v(:)
    real(8) :: f(size(x))
    procedure(forces), pointer :: now
    now => law
    call law(x, f)
    v = v + 0.1d0*f
    call now(v, f)
    x = x + 0.1d0*v*f
  end subroutine
  subroutine apply(o, v)
    class(base), intent(inout) :: o
    real(8), intent(inout) :: v(:)
    call o%act(v)
  end subroutine
end module by_description

module of_users
  use by_description
  implicit none
  type, extends(base) :: scale
  contains
    procedure :: act => scale_act
  end type
contains
  subroutine spring(x, f)
    real(8), intent(in) :: x(:)
    real(8), intent(out) :: f(:)
    f = -sin(x)
  end subroutine
  subroutine scale_act(me, v)
    class(scale), intent(inout) :: me
    real(8), intent(inout) :: v(:)
    v = v*me%c*v(1)
  end subroutine
end module of_users

subroutine half(x, r)
  real(8), intent(in) :: x
  real(8), intent(out) :: r
  r = 0.5d0*sin(x)
end subroutine

real(8) function twice(x)
  real(8), intent(in) :: x
  twice = 2*x*x
end function

subroutine head(x, y)
  use described
  use of_users
  use by_description
  implicit none
  real(8), intent(in) :: x(2)
  real(8), intent(inout) :: y(2)
  real(8) :: v(2), r
  type(scale) :: o
  v = x
  o%c = x(2)
  call march(spring, y, v)
  call apply(o, v)
  call half(x(1), r)
  y(1) = y(1)*r + twice(x(2))*v(1)
  y(2) = y(2)*v(2)
end subroutine head
