! call head n=3 x=[0.3,0.5,0.7] y=0.2
! A callee allocates `u`; the backward sweep of the caller names its adjoint alone, which must follow.
module arrays_of_a_grid
  implicit none
  type :: field
    real(8), allocatable :: v(:)
  end type field
  real(8), allocatable, save :: u(:)
  type(field), save :: f
contains
  subroutine setup(n)
    integer, intent(in) :: n
    if (allocated(u)) deallocate (u)
    allocate (u(0:n))
    u = 0
    if (allocated(f%v)) deallocate (f%v)
    allocate (f%v(n))
    f%v = 1
  end subroutine setup
end module arrays_of_a_grid

subroutine head(n, x, y)
  use arrays_of_a_grid
  implicit none
  integer, intent(in) :: n
  real(8), intent(inout) :: x(n), y
  call setup(n)
  u(1:n) = x
  f%v = f%v + 2*x
  y = y + sum(u*3) + sum(f%v)
end subroutine head
