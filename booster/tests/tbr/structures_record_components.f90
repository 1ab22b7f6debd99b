module types
  type state
    real(8) :: u(3), v
    integer :: n
  end type
end module
subroutine s(a, x)
  use types
  type(state) :: a, b
  real(8) :: x
  x = a%u(1)*a%v
  b = a
  a%v = x*b%v
  call change(a)
  a = b
contains
  subroutine change(c)
    type(state) :: c
    c%u(2) = c%u(1)*c%v
    c%n = 1
  end subroutine
end subroutine
