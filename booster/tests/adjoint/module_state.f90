! call fill n=3 x=[1,2,0.5] y=0
! call target_of_pointer n=3 x=[1,2,0.5] y=0
! Module variables that are allocated, a pointer to an allocatable target, COMMON and EQUIVALENCE.
module state
  implicit none
  real(8), allocatable :: work(:)
contains
  subroutine fill(n, x, y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y
    if (allocated(work)) deallocate(work)
    allocate(work(n))
    work = x*x
    y = work(1)*work(n)
    deallocate(work)
  end subroutine fill
end module state

subroutine target_of_pointer(n, x, y)
  implicit none
  integer, intent(in) :: n
  real(8), intent(in) :: x(n)
  real(8), intent(out) :: y
  real(8), allocatable, target :: w(:)
  real(8), pointer :: p(:)
  real(8) :: a(4), b(4)
  equivalence (a(2), b(1))
  allocate(w(n))
  w(:) = x*x
  p => w(2:n)
  p = p*w(1)
  y = sum(w)*p(1)
  a = 1.0d0
  a(1:3) = w
  b(1:2) = a(1:2)*a(2:3)
  y = y*a(2) + b(2)*a(4)
end subroutine target_of_pointer
