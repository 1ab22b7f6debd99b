! refused OX4257
! The result of a function is associated with its argument.
module results
  implicit none
contains
  function largest(a) result(p)
    real(8), intent(in), target :: a(:)
    real(8), pointer :: p
    p => a(maxloc(a, 1))
  end function
end module
subroutine head(n, x, y)
  use results
  implicit none
  integer, intent(in) :: n
  real(8), intent(in) :: x(n)
  real(8), intent(out) :: y(n)
  real(8), target :: t(3)
  t = x*x(2)
  y = largest(t)*x(1)
end subroutine
