! Components that point to procedures, with and without a passed object.
module laws
  implicit none
  type :: law
    real(8) :: strength
    procedure(force), pointer :: f => null()
    procedure(plain), pointer, nopass :: g => null()
  end type
  abstract interface
    subroutine force(self, r, value)
      import :: law
      class(law), intent(in) :: self
      real(8), intent(in) :: r
      real(8), intent(out) :: value
    end subroutine
    function plain(r) result(value)
      real(8), intent(in) :: r
      real(8) :: value
    end function
  end interface
contains
  subroutine spring(self, r, value)
    class(law), intent(in) :: self
    real(8), intent(in) :: r
    real(8), intent(out) :: value
    value = -self%strength*r
  end subroutine
  subroutine gravity(self, r, value)
    class(law), intent(in) :: self
    real(8), intent(in) :: r
    real(8), intent(out) :: value
    value = self%strength/r**2
  end subroutine
  function damp(r) result(value)
    real(8), intent(in) :: r
    real(8) :: value
    value = exp(-r)
  end function
end module

subroutine head(n, x, y)
  use laws
  implicit none
  integer, intent(in) :: n
  real(8), intent(in) :: x(n)
  real(8), intent(out) :: y(n)
  type(law) :: l
  l%strength = x(1)
  l%f => spring
  l%g => damp
  call l%f(x(2), y(1))
  l%f => gravity
  call l%f(x(3), y(2))
  y(3) = l%g(x(1)*x(2))
end subroutine
