! Bindings that pass the object first, by name and not at all; generic bindings.
module bodies
  implicit none
  type :: body
    real(8) :: mass, speed(2)
    integer :: hits = 0
  contains
    procedure :: energy
    procedure :: push
    procedure, pass(other) :: near => near_it
    procedure, nopass :: drag
    procedure :: scale_by_number
    procedure :: scale_by_array
    generic :: rescale => scale_by_number, scale_by_array
  end type
contains
  function energy(self) result(e)
    class(body), intent(in) :: self
    real(8) :: e
    e = 0.5d0*self%mass*sum(self%speed**2)
  end function
  subroutine push(self, force, i)
    class(body), intent(inout) :: self
    real(8), intent(in) :: force
    integer, intent(in) :: i
    self%speed(i) = self%speed(i) + force/self%mass
    self%hits = self%hits + 1
  end subroutine
  subroutine near_it(d, other, factor)
    real(8), intent(out) :: d
    class(body), intent(in) :: other
    real(8), intent(in) :: factor
    d = factor*(other%speed(1) - other%speed(2))
  end subroutine
  function drag(v)
    real(8), intent(in) :: v
    real(8) :: drag
    drag = -v*abs(v)
  end function
  subroutine scale_by_number(self, s)
    class(body), intent(inout) :: self
    real(8), intent(in) :: s
    self%speed = self%speed*s
  end subroutine
  subroutine scale_by_array(self, s)
    class(body), intent(inout) :: self
    real(8), intent(in) :: s(2)
    self%speed = self%speed*s
  end subroutine
end module

subroutine head(n, x, y)
  use bodies
  implicit none
  integer, intent(in) :: n
  real(8), intent(in) :: x(n)
  real(8), intent(out) :: y(n)
  type(body) :: a
  class(body), allocatable :: b
  a%mass = 2d0 + x(1)
  a%speed = x(2:3)
  call a%push(x(1)*x(3), 1)
  call a%rescale(x(2))
  call a%rescale([x(1), 3d0])
  allocate(b, source=a)
  call b%push(force=a%drag(x(3)), i=2)
  y(1) = a%energy() + 2d0*b%energy()
  call b%near(y(2), x(1))
  y(3) = b%speed(2)*real(b%hits, 8)
end subroutine
