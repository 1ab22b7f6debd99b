! call p x=[0.5,1.5] y=0 z=0
! along x=[1,-1]
! The last call of a procedure that calls its dummy procedure goes from the forward sweep, as none of the procedures that
! it may stand for records a value.
subroutine p(x, y, z)
  implicit none
  real(8), intent(in) :: x(2)
  real(8), intent(out) :: y, z
  external :: square, product, once

  y = 0
  z = 0
  call twice(once, square, x(2), x(1), y)
  call once(product, x(1), x(2), z)
end subroutine p

subroutine twice(how, f, c, a, b)
  implicit none
  external :: how, f
  real(8), intent(in) :: c, a
  real(8), intent(inout) :: b

  call how(f, c, a, b)
  b = b*a
end subroutine twice

subroutine once(f, c, a, b)
  implicit none
  external :: f
  real(8), intent(in) :: c, a
  real(8), intent(inout) :: b

  call f(c, a, b)
end subroutine once

subroutine square(c, a, b)
  implicit none
  real(8), intent(in) :: c, a
  real(8), intent(inout) :: b

  b = a*a
end subroutine square

subroutine product(c, a, b)
  implicit none
  real(8), intent(in) :: c, a
  real(8), intent(inout) :: b

  b = c*a
end subroutine product
