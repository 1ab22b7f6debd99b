! directions OX4255
! ASSOCIATE with variables, parts and expressions; BLOCK with locals that hide and are initialised.
module parts
  implicit none
  type :: inner
    real(8) :: v(3)
  end type
  type :: outer
    type(inner) :: i(2)
  end type
contains
  function half(a) result(h)
    real(8), intent(in) :: a(:)
    real(8) :: h(size(a))
    h = 0.5d0*a*a
  end function
end module
subroutine head(n, x, y)
  use parts
  implicit none
  integer, intent(in) :: n
  real(8), intent(in) :: x(n)
  real(8), intent(out) :: y(n)
  type(outer) :: o
  real(8) :: t
  integer :: k
  o%i(1)%v = x
  o%i(2)%v = x*x(1)
  t = x(2)
  associate (v => o%i(2)%v, s => x(1)*x(3), h => half(x), w => o%i)
    v(2) = s*h(3)
    t = t + s
    associate (first => v(1:2))
      first = first*t
      y(1) = sum(first) + w(2)%v(2)
    end associate
    w(1)%v(3) = s*s
  end associate
  block
    real(8) :: t(2), sum_of
    real(8), allocatable :: a(:)
    integer, parameter :: m = 2
    t = x(:m)**2
    sum_of = sum(t)
    do k = 1, 2
      block
        real(8) :: t
        t = x(k)*sum_of
        a = [t, x(k)]
        sum_of = sum_of + t*a(2)
      end block
    end do
    y(2) = sum_of + o%i(2)%v(1)
  end block
  y(3) = t*o%i(1)%v(3)
end subroutine
