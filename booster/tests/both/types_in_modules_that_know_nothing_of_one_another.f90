! call head w=1 x=[0.3,0.5] p=0.7 y=0
! call head w=2 x=[0.3,0.5] p=0.7 y=0
! Extensions of one abstract type in several modules: a module that calls their binding cannot use the
! derivatives of theirs, where these use its own or where there are two. An external procedure chooses.
module models
  implicit none
  type, abstract :: model
    real(8) :: rate = 1
  contains
    procedure(rate_of_change), deferred :: rhs
    procedure :: energy => energy_of_model
    procedure :: step
  end type model
  abstract interface
    subroutine rate_of_change(self, x, f)
      import :: model
      class(model), intent(in) :: self
      real(8), intent(in) :: x(:)
      real(8), intent(out) :: f(:)
    end subroutine rate_of_change
  end interface
contains
  subroutine step(self, x, h)
    class(model), intent(in) :: self
    real(8), intent(inout) :: x(:)
    real(8), intent(in) :: h
    real(8) :: k(size(x))
    call self%rhs(x, k)
    x = x + h*k*self%energy(x)
    call damp(x)
  end subroutine step
  subroutine damp(x)
    real(8), intent(inout) :: x(:)
    x = x/(1 + x**2)
  end subroutine damp
  function energy_of_model(self, x) result(e)
    class(model), intent(in) :: self
    real(8), intent(in) :: x(:)
    real(8) :: e
    e = sum(x**2)*self%rate
  end function energy_of_model
end module models

module integrators
  use models
  implicit none
contains
  subroutine heun(m, x, h)
    class(model), intent(in) :: m
    real(8), intent(inout) :: x(:)
    real(8), intent(in) :: h
    real(8) :: a(size(x)), b(size(x))
    call m%rhs(x, a)
    call m%rhs(x + h*a, b)
    x = x + h/2*(a + b)
  end subroutine heun
end module integrators

module decays
  use models
  implicit none
  private
  type, public, extends(model) :: decay
  contains
    procedure :: rhs => rhs_of_decay
  end type decay
contains
  subroutine rhs_of_decay(self, x, f)
    class(decay), intent(in) :: self
    real(8), intent(in) :: x(:)
    real(8), intent(out) :: f(:)
    f = x
    call damp(f)
    f = -self%rate*f**2
  end subroutine rhs_of_decay
end module decays

module swings
  use models
  use integrators
  implicit none
  type, extends(model) :: swing
    real(8) :: friction = 0.1d0
  contains
    procedure :: rhs => rhs_of_swing
    procedure :: energy => energy_of_swing
  end type swing
contains
  subroutine rhs_of_swing(self, x, f)
    class(swing), intent(in) :: self
    real(8), intent(in) :: x(:)
    real(8), intent(out) :: f(:)
    f(1) = x(2)
    f(2) = -self%rate*sin(x(1)) - self%friction*x(2)
  end subroutine rhs_of_swing
  function energy_of_swing(self, x) result(e)
    class(swing), intent(in) :: self
    real(8), intent(in) :: x(:)
    real(8) :: e
    e = x(2)**2/2 + self%rate*(1 - cos(x(1)))
  end function energy_of_swing
end module swings

subroutine head(w, x, p, y)
  use decays
  use swings
  implicit none
  integer, intent(in) :: w
  real(8), intent(inout) :: x(2)
  real(8), intent(in) :: p
  real(8), intent(out) :: y
  class(model), allocatable :: m
  integer :: i
  if (w == 1) then
    allocate(decay :: m)
  else
    allocate(swing :: m)
  end if
  m%rate = p
  do i = 1, 3
    call m%step(x, 0.1d0)
    call heun(m, x, 0.2d0)
  end do
  y = m%energy(x)
end subroutine head
