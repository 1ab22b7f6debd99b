! The state of a module, a COMMON block and a SAVE variable take part.
module settings
  implicit none
  real(8) :: gain = 2.0d0
  real(8), allocatable :: table(:)
end module settings

subroutine state(n, x, y)
  use settings
  implicit none
  integer, intent(in) :: n
  real(8), intent(in) :: x(0:n)
  real(8), intent(out) :: y
  integer :: calls = 0
  real(8) :: offset, scale
  integer :: order
  common /shift/ order, offset, scale(2)

  calls = calls + 1
  gain = gain*offset
  y = calls*gain*sum(x*table)*scale(1)/scale(2)**order
end subroutine state
