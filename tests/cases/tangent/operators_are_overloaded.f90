! Defined operators and assignment, as interfaces and as bindings.
module vectors
  implicit none
  type :: vec
    real(8) :: c(2)
  contains
    procedure :: plus
    procedure :: times
    procedure :: assign_number
    generic :: operator(+) => plus
    generic :: operator(*) => times
    generic :: assignment(=) => assign_number
  end type
  interface operator(.dot.)
    module procedure dot
  end interface
contains
  elemental function plus(a, b) result(c)
    class(vec), intent(in) :: a
    type(vec), intent(in) :: b
    type(vec) :: c
    c%c = a%c + b%c
  end function
  function times(a, s) result(c)
    class(vec), intent(in) :: a
    real(8), intent(in) :: s
    type(vec) :: c
    c = vec(a%c*s)
  end function
  elemental subroutine assign_number(a, s)
    class(vec), intent(inout) :: a
    real(8), intent(in) :: s
    a%c = [s, s*s]
  end subroutine
  function dot(a, b) result(d)
    type(vec), intent(in) :: a, b
    real(8) :: d
    d = sum(a%c*b%c)
  end function
end module
subroutine head(n, x, y)
  use vectors
  implicit none
  integer, intent(in) :: n
  real(8), intent(in) :: x(n)
  real(8), intent(out) :: y(n)
  type(vec) :: a, b, many(2)
  a = x(1)
  b = vec(x(2:3))
  y(1) = (a + b*x(2)) .dot. b
  many = [a, b]
  many = many + many
  y(2) = many(2) .dot. many(1)
  a = b .dot. a
  y(3) = a%c(2)
end subroutine
