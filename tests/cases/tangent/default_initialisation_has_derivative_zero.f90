! Default initial values of components are values, not derivatives: INTENT(OUT), results, ALLOCATE, locals.
module kinds_of_default
  implicit none
  type :: particle
    real(8) :: m = 2d0, v(2) = [3d0, 4d0]
    integer :: id = 5
  end type
  type :: cloud
    type(particle) :: p(2)
    type(particle), allocatable :: more(:)
  end type
contains
  subroutine fill(p, a)
    type(particle), intent(out) :: p
    real(8), intent(in) :: a
    p%v(1) = a*p%m
  end subroutine
  function made(a) result(p)
    real(8), intent(in) :: a
    type(particle) :: p
    p%m = a*a*p%v(2)
  end function
  subroutine fill_class(p, a)
    class(particle), intent(out) :: p
    real(8), intent(in) :: a
    p%v(2) = a*p%m
  end subroutine
  subroutine fill_cloud(c, a)
    type(cloud), intent(out) :: c
    real(8), intent(in) :: a
    allocate(c%more(3))
    c%more(2)%m = a
  end subroutine
end module
subroutine head(n, x, y)
  use kinds_of_default
  implicit none
  integer, intent(in) :: n
  real(8), intent(in) :: x(n)
  real(8), intent(out) :: y(n)
  type(particle) :: p, q
  type(cloud) :: c
  type(particle), allocatable :: r, s(:)
  class(particle), allocatable :: t
  type(particle), pointer :: u
  call fill(p, x(1))
  q = made(x(2))
  call fill_cloud(c, x(3))
  y(1) = p%m*x(2) + sum(p%v) + q%m*q%v(1)*q%v(2)
  allocate(r, s(2), t, u)
  s(1)%m = x(1)
  call fill_class(t, x(2))
  u%v(1) = x(2)
  y(2) = sum(s%m)*x(3) + r%m*r%v(2)*x(1) + t%m*t%v(1)*t%v(2) + u%m*u%v(1)*u%v(2)
  y(3) = sum(c%more%m)*c%p(1)%m*x(1) + c%p(2)%v(1) + c%more(3)%v(2)
  q = particle()
  c%p(2) = particle(id=3)
  y(3) = y(3)*q%m + c%p(2)%v(2)*x(2)
  deallocate(u)
end subroutine
